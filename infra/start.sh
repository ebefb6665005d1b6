#!/bin/sh
# What a container runs: `start PART`, with the options of that part behind it.
part=${1:-}
[ $# -eq 0 ] || shift
case $part in
  api | all)
    # In a container nobody but the network is there to call.
    export MILLRACE_HOST="${MILLRACE_HOST:-0.0.0.0}"
    ;;
  tick | runner | migrate) ;;
  *)
    echo "millrace: $part is none of: api, tick, runner, migrate, all" >&2
    exit 2
    ;;
esac
[ "$part" != all ] || part=main
exec node "$(dirname "$0")/$part/index.mjs" "$@"
