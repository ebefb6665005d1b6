#!/bin/sh
# Builds the files of a release, after `npm ci`: release notes, npm package, bill of materials, and their checksums. With
# a container engine (DOCKER_HOST, or that of infra/ci/engine-up.sh), also builds the image for this platform and starts
# it once.
#
#   infra/release/make.sh [--tag vX.Y.Z] [FOLDER]     FOLDER: release
#
# BASE: the base image to use where that of infra/Containerfile is unavailable.
set -eu
cd "$(dirname "$0")/../.."
tag=
if [ "${1:-}" = --tag ]; then
  tag=$2
  shift 2
fi
folder=${1:-release}
rm -rf "$folder"
mkdir -p "$folder"
# npm reads a relative path without ./ as a repository on GitHub.
folder=$(cd "$folder" && pwd)
run() { node local/with-node.mjs "$@"; }

echo "== notes"
run infra/release/changelog.ts ${tag:+--tag "$tag"} >"$folder/notes.md"
version=$(node -p 'JSON.parse(fs.readFileSync("package.json")).version')

echo "== package of $version"
run infra/build.ts --to "$folder/dist"
npm pack --silent --pack-destination "$folder" "$folder/dist"
cp "$folder/dist/sbom.json" "$folder/millrace-$version.sbom.json"

if [ -n "${DOCKER_HOST:-}" ] || [ -S /var/run/docker.sock ]; then
  echo "== image"
  docker build -q ${BASE:+--build-arg "BASE=$BASE"} -f infra/Containerfile -t "millrace:$version" "$folder/dist"
  reported=$(docker run --rm --network none "millrace:$version" version)
  [ "$reported" = "$version" ] || { echo "the image reports version $reported"; exit 1; }
else
  echo "== no container engine: no image"
fi
rm -rf "$folder/dist"

echo "== checksums"
(cd "$folder" && sha256sum -- *.tgz *.json notes.md >SHA256SUMS && cat SHA256SUMS)
