#!/bin/sh
# Stops the embedded Postgres when its last user ends, even if it is killed.
#   watchdog.sh <folder of the cluster> [remove]
# Standard input is the pipe `alive`, which every process that uses the server holds open for writing; the kernel closes
# it with the process. When the last one is gone, `read` ends, and the server gets SIGINT (fast shutdown).
# `remove`: the folder goes too.
trap '' HUP INT TERM
cd "$1" || exit 1
read -r nothing
exec </dev/null # from here on, new users must start a watchdog of their own

# The pid in the file may be stale and now belong to another program.
is_postmaster() {
  if [ -d /proc/self ]; then tr '\0' ' ' <"/proc/$1/cmdline"; else ps -o command= -p "$1"; fi | grep -qF "$PWD/data"
} 2>/dev/null

pid=
left=20 # the owner may have been killed while the server came up: give its pid file 2 s to appear
until read -r pid <data/postmaster.pid || [ "$left" -eq 0 ]; do
  sleep 0.1
  left=$((left - 1))
done 2>/dev/null

left=600
while [ -n "$pid" ] && is_postmaster "$pid"; do
  case $left in
  600) kill -INT "$pid" ;;
  0) kill -QUIT "$pid" ;;
  esac
  sleep 0.1
  left=$((left - 1))
done
if [ "$2" = remove ]; then cd / && rm -rf "$1"; fi
