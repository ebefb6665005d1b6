#!/bin/sh
# Starts a container engine for the tests and builds the image that they use, without an image registry.
#
#   infra/ci/engine-up.sh [FOLDER]          install what is missing (Debian, root), start the engine, build the image
#   infra/ci/engine-up.sh --stop [FOLDER]   stop the engine that was started for FOLDER
#
# FOLDER (default /tmp/millrace-engine) holds the socket, the data and the log of the engine. If an engine already answers
# at $DOCKER_HOST or at the socket in FOLDER, it is used. The script prints one line, DOCKER_HOST=…, and also writes it to
# FOLDER/env, so both of these work:
#
#   eval "export $(infra/ci/engine-up.sh)"
#   infra/ci/engine-up.sh >/dev/null && . /tmp/millrace-engine/env && export DOCKER_HOST
set -eu

image=millrace-test
tag=1
mode=start
if [ "${1:-}" = --stop ]; then
  mode=stop
  shift
fi
folder=${1:-/tmp/millrace-engine}

say() { echo "engine-up: $*" >&2; }

# api PATH [curl options]: calls the API of the engine at $DOCKER_HOST.
api() {
  path=$1
  shift
  case $DOCKER_HOST in
    unix://*) curl -sf --max-time 60 --unix-socket "${DOCKER_HOST#unix://}" "$@" "http://engine$path" ;;
    *) curl -sf --max-time 60 "$@" "http://${DOCKER_HOST#*://}$path" ;;
  esac
}

answers() { api /_ping >/dev/null 2>&1; }

stop_engine() {
  [ -f "$folder/docker.pid" ] || return 0
  pid=$(cat "$folder/docker.pid")
  kill "$pid" 2>/dev/null || return 0
  waited=0
  while kill -0 "$pid" 2>/dev/null; do
    if [ "$waited" -ge 200 ]; then kill -9 "$pid"; fi
    waited=$((waited + 1))
    sleep 0.1
  done
  ip link del docker0 2>/dev/null || true
  say "ended"
}

install_missing() {
  missing=
  command -v curl >/dev/null || missing="$missing curl"
  command -v dockerd >/dev/null || missing="$missing docker.io"
  [ -x /bin/busybox ] && /bin/busybox --list >/dev/null 2>&1 && is_static || missing="$missing busybox-static"
  [ -n "$missing" ] || return 0
  say "installing$missing"
  export DEBIAN_FRONTEND=noninteractive
  # shellcheck disable=SC2086
  apt-get install -y --no-install-recommends $missing >"$folder/apt.log" 2>&1 && return 0
  apt-get update >>"$folder/apt.log" 2>&1 || true
  # shellcheck disable=SC2086
  apt-get install -y --no-install-recommends $missing >>"$folder/apt.log" 2>&1 && return 0
  tail -n 20 "$folder/apt.log" >&2
  say "could not install$missing"
  return 1
}

is_static() { ! ldd /bin/busybox >/dev/null 2>&1; }

# Without iptables, so that the rules of the machine stay unchanged; docker-proxy forwards published ports.
start_engine() {
  rm -f "$folder/docker.pid"
  setsid dockerd -H "unix://$folder/docker.sock" --data-root "$folder/data" --exec-root "$folder/exec" \
    --pidfile "$folder/docker.pid" --storage-driver "$1" --bip 10.231.0.1/24 \
    --default-address-pool base=10.232.0.0/16,size=24 --iptables=false --ip6tables=false --ip-masq=false \
    >"$folder/log" 2>&1 </dev/null &
  started=$!
  waited=0
  until answers; do
    kill -0 "$started" 2>/dev/null || return 1
    if [ "$waited" -ge 300 ]; then
      kill "$started"
      return 1
    fi
    waited=$((waited + 1))
    sleep 0.1
  done
}

has_image() { api "/images/$image:$tag/json" >/dev/null 2>&1; }

# Builds an image from static busybox alone, with its commands and a user besides root, so nothing is downloaded.
make_image() {
  root=$folder/image
  rm -rf "$root"
  "$(dirname "$0")/image-root.sh" "$root"
  tar -C "$root" -c . | api "/images/create?fromSrc=-&repo=$image&tag=$tag&changes=ENV%20PATH%3D%2Fbin" \
    -X POST -H 'Content-Type: application/x-tar' --data-binary @- >"$folder/import.log"
  rm -rf "$root"
  # Podman applies the name but not the tag.
  has_image || api "/images/$image:latest/tag?repo=$image&tag=$tag" -X POST
  has_image
}

if [ "$mode" = stop ]; then
  stop_engine
  exit 0
fi

mkdir -p "$folder"
command -v curl >/dev/null || install_missing
if [ -z "${DOCKER_HOST:-}" ] || ! answers; then DOCKER_HOST=unix://$folder/docker.sock; fi
if ! answers; then
  install_missing
  start_engine overlay2 || start_engine vfs || {
    tail -n 20 "$folder/log" >&2
    say "the engine did not start; its log is $folder/log"
    exit 1
  }
  say "started, $(api /version | sed 's/.*"Version":"\([^"]*\)".*/version \1/;q')"
fi
if ! has_image; then
  install_missing
  make_image || {
    say "could not make the image $image:$tag"
    exit 1
  }
fi
echo "DOCKER_HOST=$DOCKER_HOST" >"$folder/env"
cat "$folder/env"
