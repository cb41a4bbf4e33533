#!/usr/bin/env bash
# Runs a command with a control plane of its own, which ends with the command, however that ends. The command finds the
# control plane's folder in IRONCHART_TEST_KUBE (up.sh says what is in it), and its certificate is trusted by Node.
#   usage: with-cluster.sh COMMAND...
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
state=$(mktemp -d "${TMPDIR:-/tmp}/ironchart-kube.XXXXXX")
child=
finish() {
  local code=$?
  trap - EXIT INT TERM HUP
  if [ -n "$child" ] && kill -TERM "$child" 2>/dev/null; then wait "$child" || true; fi
  bash "$here/down.sh" "$state" || code=1
  if [ "$code" = 0 ] || [ "$code" -gt 128 ]; then rm -rf "$state"; else echo "the logs are in $state" >&2; fi
  exit "$code"
}
trap finish EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

bash "$here/up.sh" "$state" >&2 &
child=$!
wait "$child" || exit 1
export IRONCHART_TEST_KUBE=$state NODE_EXTRA_CA_CERTS=$state/pki/ca.crt
# In the background, so that a signal is not kept waiting until the command ends.
"$@" <&0 &
child=$!
code=0
wait "$child" || code=$?
child=
exit "$code"
