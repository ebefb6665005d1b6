#!/bin/sh
# Makes an image with Node, a shell and an init of what this machine has, without any image registry: what the tests
# give infra/Containerfile in the place of its base.
#
#   infra/ci/image-base.sh NODE      NODE: the program; the engine is that of DOCKER_HOST (infra/ci/engine-up.sh)
#
# Prints the name of the image.
set -eu
here=$(dirname "$0")
image=millrace-base:1
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT

"$here/image-root.sh" "$root" /usr/bin/tini-static:/usr/bin/tini "$1:/usr/bin/node" /usr/bin/setpriv
"$here/image-import.sh" "$image" "$root" 'ENV PATH=/usr/bin:/bin'
echo "$image"
