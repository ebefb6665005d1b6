#!/bin/sh
# Builds an image of a PostgreSQL server from the programs of this machine (Debian's package postgresql), without an image
# registry. The tests use it as an external PostgreSQL.
#
#   infra/ci/image-postgres.sh MAJOR      MAJOR: as in /usr/lib/postgresql/MAJOR; uses the engine at DOCKER_HOST
#
# Prints the name of the image. A container initializes its data in a volume at its first start, with a linguistic
# collation. Arguments of the container are options of the server. The superuser, postgres, connects with psql in the
# container.
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
# The engine stops a container with SIGTERM, on which the server would wait for its clients to disconnect.
trap 'kill -INT "$!"' TERM
postgres "$@" &
wait "$!" || wait
END
chmod 755 "$root/usr/bin/serve"

# In the group of root, which owns the files that a test copies into a container.
"$here/image-import.sh" "$image" "$root" 'USER 999:0' 'VOLUME /var/lib/postgresql' 'ENTRYPOINT ["/usr/bin/serve"]' \
  "ENV PATH=$programs/bin:/usr/bin:/bin PGDATA=/var/lib/postgresql/data PGUSER=postgres"
echo "$image"
