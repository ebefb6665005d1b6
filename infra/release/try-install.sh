#!/bin/sh
# Installs the package as a user would, by `npm install --global` and by `npx`, starts the service, runs a DAG, removes
# everything, and fails if anything is left.
#
#   infra/release/try-install.sh PACKAGE     PACKAGE: a packed file, or what npm calls it
#
# Node, npm and the user are those of the caller.
set -eu
package=$1
work=$(mktemp -d)
service=
clean() {
  status=$?
  [ -z "$service" ] || kill "$service" 2>/dev/null || true
  rm -rf "$work"
  exit "$status"
}
trap clean EXIT INT TERM

mkdir "$work/home" "$work/folder" "$work/prefix" "$work/tmp"
npm_config_cache=${npm_config_cache:-$work/cache}
export npm_config_cache npm_config_update_notifier=false HOME="$work/home" TMPDIR="$work/tmp"
unset DATABASE_URL MILLRACE_DATA_DIR MILLRACE_URL || true
export MILLRACE_PORT=0 MILLRACE_LOG_LEVEL=warn MILLRACE_LOG_FORMAT=text
PATH=$work/prefix/bin:$PATH
cd "$work/folder"

# try COMMAND …: starts the service with it, runs a DAG and ends it.
try() {
  # Empty before the process begins: the loop must not read what the one before said.
  : >"$work/log"
  "$@" up >>"$work/log" 2>&1 &
  service=$!
  waited=0
  until url=$(grep -o 'listens on http:[^ ;]*' "$work/log"); do
    if [ "$waited" -ge 900 ] || ! kill -0 "$service" 2>/dev/null; then
      cat "$work/log"
      echo "the service does not start: $*"
      return 1
    fi
    waited=$((waited + 1))
    sleep 0.1
  done
  MILLRACE_URL=${url#listens on } "$@" start hello --wait || { cat "$work/log"; return 1; }
  kill "$service"
  # npm itself ends at once, and the service notices; whoever waits for the command gets its exit code.
  wait "$service" || [ "$1" = npx ] || { cat "$work/log"; echo "the service ended badly: $*"; return 1; }
  service=
  waited=0
  while [ -e .millrace/postgres/data/postmaster.pid ]; do
    if [ "$waited" -ge 300 ]; then
      echo "the service did not end: $*"
      return 1
    fi
    waited=$((waited + 1))
    sleep 0.1
  done
  rm -r .millrace
}

# nothing FOLDER …: fails when a file is left in one of them. npm keeps its own compiled code in the temporary folder.
nothing() {
  left=$(find "$@" -mindepth 1 ! -type d ! -path '*/node-compile-cache/*' | head -n 20)
  if [ -n "$left" ]; then
    echo "left behind:"
    echo "$left"
    return 1
  fi
}

echo "== node $(node --version), user $(id -u): install"
npm install --global --prefix "$work/prefix" --no-audit --no-fund "$package"
millrace version
try millrace
npm uninstall --global --prefix "$work/prefix" millrace
nothing "$work/prefix" "$work/folder" "$work/tmp"

echo "== node $(node --version), user $(id -u): npx, and no script may run"
export npm_config_ignore_scripts=true
npx --yes --package="$package" millrace version
try npx --yes --package="$package" millrace
rm -rf "$npm_config_cache/_npx"
nothing "$work/folder" "$work/tmp" "$work/home"
echo "installed, ran and removed"
