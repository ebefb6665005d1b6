#!/bin/sh
# Builds an image from a folder that infra/ci/image-root.sh has filled. Replaces an earlier image of that name.
#
#   infra/ci/image-import.sh IMAGE FOLDER [CHANGE …]      CHANGE: a Dockerfile instruction, as docker import accepts it
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
# Fails, which does no harm, if another image is based on it.
[ -z "$earlier" ] || docker rmi "$earlier" >/dev/null 2>&1 || true
