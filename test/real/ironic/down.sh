#!/usr/bin/env bash
# Ends what up.sh has started in a folder, and nothing else: each process of the group in a pid file that works in the
# folder. Logs stay; data and keys go.
#   usage: down.sh STATE_FOLDER
set -euo pipefail
state=$(realpath -m "${1:?usage: down.sh STATE_FOLDER}")

# The processes of a group that are at work in the folder: Ironic has two. The group is the third field after the program's name.
members() {
  local folder stat
  for folder in /proc/[0-9]*; do
    if [ "$(readlink "$folder/cwd" 2>/dev/null)" != "$state" ]; then continue; fi
    stat=$(cat "$folder/stat" 2>/dev/null) || continue
    read -r _ _ stat _ <<<"${stat##*) }"
    if [ "$stat" = "$1" ]; then echo "${folder#/proc/}"; fi
  done
}

for name in ironic bmc agent web; do
  file=$state/$name.pid
  if [ ! -f "$file" ]; then continue; fi
  group=$(cat "$file")
  for _ in $(seq 100); do
    running=$(members "$group")
    if [ -z "$running" ]; then break; fi
    # At once: an orderly end of Ironic waits for whatever it is at.
    for pid in $running; do kill -KILL "$pid" 2>/dev/null || true; done
    sleep 0.05
  done
  if [ -n "$running" ]; then echo "down: $name ($running) does not end" >&2 && exit 1; fi
  rm -f "$file"
done
rm -rf "$state"/{auth,pki,http,bmc,ironic,tmp,tftp} "$state"/*.{start,sqlite,sqlite-*,conf} "$state"/{bmc,ironic}-users \
  "$state"/bmc-{username,password}
