#!/bin/sh
# Makes an image of a folder that infra/ci/image-root.sh has filled, in the place of an earlier one.
#
#   infra/ci/image-import.sh IMAGE FOLDER [CHANGE …]      CHANGE: a line of a Dockerfile, as docker import takes it
set -eu
image=$1
root=$2
shift 2
for change; do
  shift
  set -- "$@" -c "$change"
done
earlier=$(docker image inspect -f '{{.Id}}' "$image" 2>/dev/null) || earlier=
tar -C "$root" -c . | docker import "$@" - "$image" >/dev/null
# Unless another image is made from it.
[ -z "$earlier" ] || docker rmi "$earlier" >/dev/null 2>&1 || true
