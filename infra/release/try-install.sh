#!/bin/sh
# Installs the package as a user would, with `npm install --global` and with `npx`, starts the service, runs a DAG,
# removes everything, and fails if any file is left.
#
#   infra/release/try-install.sh PACKAGE     PACKAGE: a packed file, or the name of a package
#
# Uses the Node and npm of the caller, and runs as the caller's user.
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

# try COMMAND …: starts the service with this command, runs a DAG and stops the service.
try() {
  # Truncated before the process starts, so that the loop does not read the output of the previous one.
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
  # npx exits at once and the service stops on its own, so only the exit code of the installed command counts.
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

# expect_empty FOLDER …: fails if a file is left in one of them, except npm's own compile cache in the temporary folder.
expect_empty() {
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
expect_empty "$work/prefix" "$work/folder" "$work/tmp"

echo "== node $(node --version), user $(id -u): npx, with install scripts disabled"
export npm_config_ignore_scripts=true
npx --yes --package="$package" millrace version
try npx --yes --package="$package" millrace
rm -rf "$npm_config_cache/_npx"
expect_empty "$work/folder" "$work/tmp" "$work/home"
echo "installed, ran and removed"
