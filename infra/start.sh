#!/bin/sh
# What a container runs: `start PART` with the options of that part behind it, or a command of `millrace` with its words.
folder=$(dirname "$(readlink -f "$0")")
part=${1:-}
case $part in
  api | all)
    # In a container nobody but the network is there to call.
    export MILLRACE_HOST="${MILLRACE_HOST:-0.0.0.0}"
    ;;
  tick | runner | migrate) ;;
  *) exec node "$folder/millrace/index.mjs" "$@" ;;
esac
shift
[ "$part" != all ] || part=main
# Otherwise V8 lets the garbage of a busy process grow to 96 MB.
exec node --max-semi-space-size=8 "$folder/$part/index.mjs" "$@"
