#!/usr/bin/env bash
# The tests that need a real API server, with one of their own. Arguments go to jest.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
cd "$here/../../.."
if ! command -v kubectl >/dev/null; then
  echo 'there is no kubectl on the PATH, and a part of these tests is made of its commands: install it' \
    '(https://kubernetes.io/docs/tasks/tools/)' >&2
  exit 1
fi
# What the chart installs is tried as a process of its own.
npm run --silent compile
# The chart is rendered for a test of what it installs.
[ -x .cache/helm/helm3 ] || npm run --silent helm
export NODE_OPTIONS=--experimental-vm-modules
exec bash "$here/with-cluster.sh" node node_modules/.bin/jest --config "$here/jest.config.mjs" --runInBand "$@"
