#!/usr/bin/env bash
# Runs a command with a bed of a real Ironic of its own, which ends with the command, however that ends. The command finds the
# bed's folder in IRONCHART_TEST_IRONIC; up.sh says what is in it, and which settings it takes from the environment.
#   usage: with-ironic.sh COMMAND...
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
state=$(mktemp -d "${TMPDIR:-/tmp}/ironchart-ironic.XXXXXX")
child=
# With all that it has started: jest's workers would go on without it. A bare `return` would give the code of what was interrupted.
end_child() {
  if [ -z "$child" ]; then return 0; fi
  kill -TERM -- "-$child" 2>/dev/null || return 0
  for _ in $(seq 50); do
    if ! kill -0 -- "-$child" 2>/dev/null; then return 0; fi
    sleep 0.1
  done
  kill -KILL -- "-$child" 2>/dev/null || true
}
finish() {
  local code=$?
  trap - EXIT INT TERM HUP
  end_child
  # Beds that the command has put beside its own.
  for bed in "$state" "$state".*; do
    if [ -d "$bed" ]; then bash "$here/down.sh" "$bed" || code=1; fi
  done
  if [ "$code" = 0 ] || [ "$code" -gt 128 ]; then rm -rf "$state" "$state".*; else echo "the logs are in $state" >&2; fi
  exit "$code"
}
trap finish EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

setsid bash "$here/up.sh" "$state" >&2 &
child=$!
wait "$child" || exit 1
child=
export IRONCHART_TEST_IRONIC=$state
# In the background, so that a signal is not kept waiting until the command ends, and as a group of its own.
setsid "$@" <&0 &
child=$!
code=0
wait "$child" || code=$?
child=
exit "$code"
