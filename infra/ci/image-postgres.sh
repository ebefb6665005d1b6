#!/bin/sh
# Makes an image of a PostgreSQL server of the programs that this machine has (Debian's package postgresql), without any
# image registry: what the tests start as a PostgreSQL that somebody else serves.
#
#   infra/ci/image-postgres.sh MAJOR      MAJOR: as in /usr/lib/postgresql/MAJOR; the engine is that of DOCKER_HOST
#
# Prints the name of the image. A container makes its data at its first start, in a volume, with the collation of a
# language; the words after its name are options of the server. Its superuser is postgres, by psql in the container.
set -eu
here=$(dirname "$0")
major=$1
image=millrace-postgres:$major
programs=/usr/lib/postgresql/$major
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT

"$here/image-root.sh" "$root" "$programs/bin/postgres" "$programs/bin/initdb" "$programs/bin/psql" \
  "$programs/lib/plpgsql.so" "$programs/lib/dict_snowball.so" "$programs/lib/llvmjit.so"
mkdir -p "$root/usr/share/postgresql" "$root/var/lib/postgresql" "$root/var/run/postgresql"
chmod 1777 "$root/var/lib/postgresql" "$root/var/run/postgresql"
cp -R "$programs/lib/llvmjit_types.bc" "$programs/lib/bitcode" "$root$programs/lib/"
cp -R "/usr/share/postgresql/$major" "$root/usr/share/postgresql/"
cp -R /usr/share/zoneinfo "$root/usr/share/"
echo 'postgres:x:999:0::/var/lib/postgresql:/bin/sh' >>"$root/etc/passwd"
cat >"$root/usr/bin/serve" <<'END'
#!/bin/sh
set -eu
[ -s "$PGDATA/PG_VERSION" ] || initdb --username postgres --no-sync --encoding UTF8 \
  --locale C --locale-provider icu --icu-locale en-US
# An engine sends SIGTERM, which would have the server wait for its clients.
trap 'kill -INT "$!"' TERM
postgres "$@" &
wait "$!" || wait
END
chmod 755 "$root/usr/bin/serve"

# Of the group of root, which has the files that a test puts into a container.
"$here/image-import.sh" "$image" "$root" 'USER 999:0' 'VOLUME /var/lib/postgresql' 'ENTRYPOINT ["/usr/bin/serve"]' \
  "ENV PATH=$programs/bin:/usr/bin:/bin PGDATA=/var/lib/postgresql/data PGUSER=postgres"
echo "$image"
