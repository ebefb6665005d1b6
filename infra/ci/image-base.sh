#!/bin/sh
# Builds an image with Node, a shell and an init from the programs of this machine, without an image registry. The tests
# use it as the base image of infra/Containerfile.
#
#   infra/ci/image-base.sh NODE      NODE: path of the program; uses the engine at DOCKER_HOST (infra/ci/engine-up.sh)
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
