#!/bin/sh
# Stops the embedded Postgres when nobody uses it any more, however its users ended.
#   watchdog.sh <folder of the cluster> [remove]
# Every process that uses the server holds the pipe `alive` open for writing; the kernel closes it with the process.
# When the last one is gone, `read` ends, and the server gets SIGINT (fast shutdown). `remove`: the folder goes too.
trap '' HUP INT TERM
cd "$1" || exit 1
[ -p alive ] || mkfifo -m 600 alive 2>/dev/null
read -r nothing <alive

# The pid in the file may be stale and belong to somebody else by now.
postmaster() {
  read -r pid <data/postmaster.pid || return 1
  if [ -d /proc/self ]; then tr '\0' ' ' <"/proc/$pid/cmdline"; else ps -o command= -p "$pid"; fi | grep -qF "$1/data"
}

left=20 # an owner that was killed while the server came up: give the pid file 2 s to appear
while ! postmaster "$1" 2>/dev/null && [ "$left" -gt 0 ]; do
  [ -e data/postmaster.pid ] && break
  sleep 0.1
  left=$((left - 1))
done

signal=INT
left=600
while postmaster "$1" 2>/dev/null; do
  [ "$left" -eq 0 ] && signal=QUIT
  if [ "$left" -eq 600 ] || [ "$signal" = QUIT ]; then kill -"$signal" "$pid"; fi
  sleep 0.1
  left=$((left - 1))
done
if [ "$2" = remove ]; then cd / && rm -rf "$1"; fi
