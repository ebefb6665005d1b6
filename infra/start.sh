#!/bin/sh
# The entry point of the image: `start PART [OPTION …]`, or a command of `millrace` with its arguments.
#
# The service runs as user 10001. In a container that starts as root, parts that run steps keep three capabilities, to
# start steps as another user (MILLRACE_STEP_USER, `steps` by default; if empty, steps run as 10001 too).
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
  # All clients of a container call over the network.
  export MILLRACE_HOST="${MILLRACE_HOST:-0.0.0.0}"
fi
if [ -n "$first" ]; then
  shift
  [ "$part" != all ] || part=main
  # By default, V8 lets the young generation of a busy process grow to 96 MB.
  set -- --max-semi-space-size=8 "$folder/$part/index.mjs" "$@"
else
  set -- "$folder/millrace/index.mjs" "$@"
fi

if [ "$(id -u)" = 0 ]; then
  # Keeps the groups given to the container (--group-add), except root's.
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

# Every process of the same user could read settings in the environment of the init. They are passed on through file
# descriptor 3 instead: NUL-separated NAME=value pairs in base64.
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
