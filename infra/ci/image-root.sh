#!/bin/sh
# Fills a folder that becomes the root file system of an image; no image registry is needed. It gets the static shell and
# commands of busybox, and programs of this machine with their shared libraries.
#
#   infra/ci/image-root.sh FOLDER [FILE[:PATH] …]      FILE: a program or a library; PATH: its path in the image
set -eu
root=$1
shift

# copy FILE PATH
copy() {
  mkdir -p "$root$(dirname "$2")"
  cp -L "$1" "$root$2"
}

for folder in bin dev etc home proc sys tmp usr/bin var/lib; do mkdir -p "$root/$folder"; done
# mktemp creates a folder that only its owner can enter.
chmod 755 "$root"
chmod 1777 "$root/tmp"
cp /bin/busybox "$root/bin/busybox"
for name in $(/bin/busybox --list); do
  [ "$name" = busybox ] || ln -sf busybox "$root/bin/$name"
done
printf 'root:x:0:0:root:/root:/bin/sh\nnobody:x:65534:65534::/:/bin/sh\n' >"$root/etc/passwd"
printf 'root:x:0:\nnogroup:x:65534:\n' >"$root/etc/group"

for given; do
  file=${given%%:*}
  copy "$file" "${given#*:}"
  # Shared libraries, at the paths where the loader looks for them; a static program has none.
  ldd "$file" 2>/dev/null | sed -n 's|^\t[^/]*\(/[^ ]*\) (.*|\1|p' | while read -r library; do
    [ -e "$root$library" ] || copy "$library" "$library"
  done
done
