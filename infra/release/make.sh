#!/bin/sh
# Makes what a release consists of, after `npm ci`: the notes of the version, the npm package, its bill of materials, and
# the checksums of these. With a container engine (DOCKER_HOST, or that of infra/ci/engine-up.sh) also the image of this
# platform, started once.
#
#   infra/release/make.sh [--tag vX.Y.Z] [FOLDER]     FOLDER: release
#
# BASE names the image to build on where that of infra/Containerfile cannot be had.
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
# npm takes a relative path without ./ for a name on GitHub.
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
  said=$(docker run --rm --network none "millrace:$version" version)
  [ "$said" = "$version" ] || { echo "the image says $said"; exit 1; }
else
  echo "== no container engine: no image"
fi
rm -rf "$folder/dist"

echo "== checksums"
(cd "$folder" && sha256sum -- *.tgz *.json notes.md >SHA256SUMS && cat SHA256SUMS)
