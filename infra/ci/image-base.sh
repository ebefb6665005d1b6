#!/bin/sh
# Makes an image with Node, a shell and an init of what this machine has, without any image registry: what the tests
# give infra/Containerfile in the place of its base.
#
#   infra/ci/image-base.sh NODE      NODE: the program; the engine is that of DOCKER_HOST (infra/ci/engine-up.sh)
#
# Prints the name of the image.
set -eu
node=$1
image=millrace-base:1
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT

mkdir -p "$root/bin" "$root/usr/bin" "$root/etc" "$root/tmp" "$root/proc" "$root/sys" "$root/dev" "$root/var/lib"
chmod 1777 "$root/tmp"
cp /bin/busybox "$root/bin/busybox"
for name in $(/bin/busybox --list); do
  [ "$name" = busybox ] || ln -sf busybox "$root/bin/$name"
done
cp /usr/bin/tini-static "$root/usr/bin/tini"
cp "$node" "$root/usr/bin/node"
cp /usr/bin/setpriv "$root/usr/bin/setpriv"
# The libraries that they are linked with, at the places where their loader looks.
ldd "$node" /usr/bin/setpriv | grep -o '/[^ :]*' | sort -u | while read -r library; do
  mkdir -p "$root$(dirname "$library")"
  cp -L "$library" "$root$library"
done
printf 'root:x:0:0:root:/root:/bin/sh\n' >"$root/etc/passwd"
printf 'root:x:0:\n' >"$root/etc/group"
tar -C "$root" -c . | docker import -c 'ENV PATH=/usr/bin:/bin' - "$image" >/dev/null
echo "$image"
