#!/usr/bin/env bash
# Ends what up.sh has started in a folder, and nothing else: the process of each pid file, if it is still that program. Logs
# stay; data and keys go.
#   usage: down.sh STATE_FOLDER
set -euo pipefail
state=$(realpath -m "${1:?usage: down.sh STATE_FOLDER}")
program() { basename "$(readlink "/proc/$1/exe" 2>/dev/null || true)"; }

for name in kube-controller-manager kube-apiserver etcd; do
  file=$state/$name.pid
  if [ ! -f "$file" ]; then continue; fi
  pid=$(cat "$file")
  if [ "$(program "$pid")" = "$name" ] && grep -qF "$state" "/proc/$pid/cmdline"; then
    # At once: an orderly end of kube-apiserver waits for its clients' watches.
    kill -KILL "$pid" 2>/dev/null || true
    for _ in $(seq 100); do
      if [ "$(program "$pid")" != "$name" ]; then break; fi
      sleep 0.05
    done
    if [ "$(program "$pid")" = "$name" ]; then echo "down: $name ($pid) does not end" >&2 && exit 1; fi
  fi
  rm -f "$file"
done
rm -rf "$state/etcd" "$state/pki" "$state/token" "$state"/*.kubeconfig "$state"/*.start
