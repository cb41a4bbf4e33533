#!/usr/bin/env bash
# Measures the operator with the demo provisioner and its default settings on a real API server: load.mjs says what.
#   usage: load.sh [HOSTS [ARGUMENTS OF load.mjs...]]
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
cd "$here/../../.."
if [ -z "${IRONCHART_TEST_KUBE:-}" ]; then
  npm run --silent compile
  exec bash "$here/with-cluster.sh" bash "$here/load.sh" "$@"
fi
hosts=${1:-100}
if [ $# -gt 0 ]; then shift; fi
log=$IRONCHART_TEST_KUBE/operator.log
operator=
generator=
finish() {
  local code=$?
  trap - EXIT INT TERM
  for pid in $generator $operator; do kill -TERM "$pid" 2>/dev/null || true; done
  wait || true
  if [ "$code" != 0 ] && [ "$code" -lt 128 ]; then tail -n 20 "$log" >&2 || true; fi
  exit "$code"
}
trap finish EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

kubectl --kubeconfig "$IRONCHART_TEST_KUBE/admin.kubeconfig" create -f charts/ironchart/crds >/dev/null
# The API server describes new kinds anew for some seconds, and would be busy with that.
sleep 8
# As the image does.
NODE_OPTIONS=$(sed -n 's/^ENV NODE_OPTIONS=//p' Dockerfile) \
  node dist/src/cli/main.js run --provisioner demo --kubeconfig "$IRONCHART_TEST_KUBE/operator.kubeconfig" \
  --health-addr 0 --metrics-addr 0 --log-level warn 2>"$log" &
operator=$!
sleep 2
node "$here/load.mjs" --hosts "$hosts" --pid "$operator" "$@" &
generator=$!
code=0
wait "$generator" || code=$?
generator=
exit "$code"
