#!/usr/bin/env bash
# The tests that need a real Ironic, with one of their own. Arguments go to jest. Two files at a time, for most of the time goes by
# in Ironic; each file that changes anything has a bed of its own beside the one that is started here.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
cd "$here/../../.."
export NODE_OPTIONS=--experimental-vm-modules
exec bash "$here/with-ironic.sh" node node_modules/.bin/jest --config "$here/jest.config.mjs" --maxWorkers=2 "$@"
