#!/bin/sh
# What a container runs: `start PART` with the options of that part behind it, or a command of `millrace` with its words.
#
# The service runs as user 10001. In a container that starts as root, parts that run steps keep three capabilities, with
# which they start steps as another user (MILLRACE_STEP_USER, by default `steps`; empty: as their own).
folder=$(dirname "$(readlink -f "$0")")
part=${1:-}
first=
has_steps=yes
case $part in
  all | runner) first='tini --' ;;
  api | tick | migrate)
    first='tini --'
    has_steps=
    ;;
esac
if [ "$part" = api ] || [ "$part" = all ]; then
  # In a container nobody but the network is there to call.
  export MILLRACE_HOST="${MILLRACE_HOST:-0.0.0.0}"
fi
if [ -n "$first" ]; then
  shift
  [ "$part" != all ] || part=main
  # Otherwise V8 lets the garbage of a busy process grow to 96 MB.
  set -- --max-semi-space-size=8 "$folder/$part/index.mjs" "$@"
else
  set -- "$folder/millrace/index.mjs" "$@"
fi

if [ "$(id -u)" = 0 ]; then
  # Groups that the container was given (--group-add) are kept, but not that of root.
  groups=$(id -G | tr ' ' '\n' | grep -vx 0 | tr '\n' ',')
  [ -z "$groups" ] || groups=--groups=${groups%,}
  user="/usr/bin/setpriv --reuid=10001 --regid=10001 ${groups:---clear-groups} --no-new-privs"
  export MILLRACE_STEP_USER="${MILLRACE_STEP_USER-steps}"
  caps=-all
  if [ -n "$has_steps" ] && [ -n "$MILLRACE_STEP_USER" ]; then
    caps=-all,+setuid,+setgid,+kill
    work=${MILLRACE_DATA_DIR:-/var/lib/millrace}/work
    [ -d "$work" ] || $user mkdir -p "$work"
    chown "$MILLRACE_STEP_USER" "$work"
  fi
  first="$user --inh-caps=$caps --ambient-caps=$caps -- $first"
elif [ "$part" = main ] || [ "$part" = runner ]; then
  [ -n "${MILLRACE_STEP_USER:-}" ] ||
    echo "The container starts as user $(id -u): steps run as the user of the service, and can read what it can read." >&2
fi

# The init would show the settings of the service to every process of its user, so they are handed on by a pipe: in
# base64, NAME=value with a NUL in between.
held=$(env -0 | base64 | tr -d '\n')
set -- $first node "$@"
for name in PATH HOME LANG LC_ALL TZ TERM TMPDIR NODE_OPTIONS NODE_EXTRA_CA_CERTS SSL_CERT_FILE SSL_CERT_DIR \
  LD_LIBRARY_PATH; do
  eval "value=\${$name-}"
  [ -z "$value" ] || set -- "$name=$value" "$@"
done
exec env -i MILLRACE_ENVIRONMENT_FD=3 "$@" 3<<END
$held
END
