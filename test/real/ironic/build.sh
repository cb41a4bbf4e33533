#!/usr/bin/env bash
# Installs Ironic and sushy-tools' Redfish emulator, as requirements.txt pins them, into a virtual environment in a cache folder,
# and prints that folder. What is there already is kept; a second run waits for a first one that is still at it.
#   usage: build.sh
#   IRONCHART_IRONIC_VENV: the folder, instead of the one in the user's cache
#   IRONCHART_PYTHON: the Python to make it with, 3.11 or newer; default python3
set -euo pipefail
version=39.0.0
requirements=$(cd "$(dirname "$0")" && pwd)/requirements.txt
venv=${IRONCHART_IRONIC_VENV:-${XDG_CACHE_HOME:-$HOME/.cache}/ironchart/ironic-$version}
python=${IRONCHART_PYTHON:-python3}
fail() { echo "build: $1" >&2 && exit 1; }

mkdir -p "$(dirname "$venv")"
exec {lock}>"$venv.lock"
flock "$lock"

# Ironic makes boot images with mkisofs; it ends a deployment with an error where there is none.
if ! command -v mkisofs >/dev/null; then
  remedy='install the program mkisofs (Debian, Ubuntu: genisoimage; Fedora: genisoimage or xorriso)'
  if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then fail "there is no mkisofs on the PATH: $remedy"; fi
  echo 'build: installing genisoimage, for mkisofs' >&2
  apt-get install -y --no-install-recommends genisoimage >&2 ||
    { apt-get update >&2 && apt-get install -y --no-install-recommends genisoimage >&2; } ||
    fail "apt-get could not install it: $remedy"
fi

# The mark is written last: an environment that was interrupted has none, or an older one.
mark=$venv/.ironchart-requirements
if ! cmp -s "$requirements" "$mark"; then
  "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null ||
    fail "Ironic $version needs Python 3.11 or newer, and $python is not: install it, or name it in IRONCHART_PYTHON"
  echo "build: Ironic $version into $venv: a minute, and only this once" >&2
  started=$SECONDS
  rm -rf "$venv"
  "$python" -m venv "$venv" ||
    fail "$python cannot make virtual environments: install its module venv (Debian, Ubuntu: python3-venv)"
  "$venv/bin/pip" install --quiet --disable-pip-version-check --no-input -r "$requirements" >&2 ||
    fail 'pip could not install requirements.txt: its own words are above'
  cp "$requirements" "$mark"
  echo "build: that took $((SECONDS - started)) s" >&2
fi
echo "$venv"
