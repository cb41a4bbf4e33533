#!/usr/bin/env bash
# Starts a bed of a real Ironic on loopback: Ironic (API and conductor in one process, on SQLite), a Redfish emulator, a fake agent
# for its machines, and a web server for images, on free ports, with everything they keep below one folder. Returns when Ironic has
# its drivers; down.sh ends exactly that. Folders side by side do not disturb each other.
#   usage: up.sh STATE_FOLDER
#   IRONCHART_IRONIC_AUTH        noauth (default) or http_basic
#   IRONCHART_IRONIC_TLS         1: the API is served by https, with a certificate of an authority of this bed
#   IRONCHART_IRONIC_SYSTEMS     how many machines have a Redfish BMC; default 64
#   IRONCHART_IRONIC_FAKE_DELAY  seconds, or A,B (random between them), that fake-hardware takes for anything; default 0
# In the folder afterwards: url (of the API), bmc-url, agent-url, web-url, bmc-username and bmc-password, auth/ironic/username and
# password (with http_basic), pki/ca.crt (with TLS), http/ (what the web server shows; images/ is in it), NAME.pid and NAME.log of
# each process, NAME.start to start it again, ironic.sqlite, and empty.sqlite, the database as it was at first.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=../free-port.sh
source "$here/../free-port.sh"
state=${1:?usage: up.sh STATE_FOLDER}
export IRONCHART_IRONIC_AUTH=${IRONCHART_IRONIC_AUTH:-noauth}
export IRONCHART_IRONIC_SYSTEMS=${IRONCHART_IRONIC_SYSTEMS:-64}
export IRONCHART_IRONIC_FAKE_DELAY=${IRONCHART_IRONIC_FAKE_DELAY:-0}
patience=${IRONCHART_IRONIC_PATIENCE:-120}
case $IRONCHART_IRONIC_AUTH in
  noauth | http_basic) ;;
  *) echo "up: IRONCHART_IRONIC_AUTH is $IRONCHART_IRONIC_AUTH: choose noauth or http_basic" >&2 && exit 1 ;;
esac

for tool in openssl curl flock setsid node; do
  command -v "$tool" >/dev/null || { echo "up: there is no $tool: install it" >&2; exit 1; }
done
venv=$("$here/build.sh")
mkdir -p "$state"
state=$(cd "$state" && pwd)
chmod 700 "$state"
# What an earlier run in this folder has left, running or not.
bash "$here/down.sh" "$state"
cd "$state"

free_port && ironic_port=$REPLY
free_port && bmc_port=$REPLY
free_port && web_port=$REPLY
free_port && agent_port=$REPLY
scheme=http
if [ "${IRONCHART_IRONIC_TLS:-}" = 1 ]; then scheme=https; fi
url=$scheme://127.0.0.1:$ironic_port
echo "$url" >url
echo "http://127.0.0.1:$bmc_port" >bmc-url
echo "http://127.0.0.1:$web_port" >web-url
echo "http://127.0.0.1:$agent_port" >agent-url

umask 077
# The user name and password of Ironic are asked from curl in a file, so that no list of processes shows them.
echo admin >bmc-username
openssl rand -hex 12 >bmc-password
: >curl.conf
if [ "$IRONCHART_IRONIC_AUTH" = http_basic ]; then
  mkdir -p auth/ironic
  echo operator >auth/ironic/username
  openssl rand -hex 12 >auth/ironic/password
  echo "user = \"$(cat auth/ironic/username):$(cat auth/ironic/password)\"" >>curl.conf
fi
if [ $scheme = https ]; then
  bash "$here/certify.sh" "$state/pki"
  echo "cacert = \"$state/pki/ca.crt\"" >>curl.conf
fi
"$venv/bin/python" "$here/configure.py" "$state" "$ironic_port" "$bmc_port" "$web_port" "$agent_port"

# usage: launch NAME COMMAND... Apart from this shell, so that it lives on when this shell ends, as a group of its own with the
# folder as its working directory: by both down.sh knows it.
launch() {
  local name=$1
  shift
  printf 'exec %s >>%q 2>&1 </dev/null\n' "$(printf '%q ' "$@")" "$state/$name.out" >"$name.start"
  setsid bash "$name.start" &
  echo $! >"$name.pid"
  disown
}
# A process that has ended may remain as a zombie, without a file to its name.
lives() { readlink "/proc/$(cat "$1.pid")/exe" >/dev/null 2>&1; }
fail() {
  echo "up: $1" >&2
  tail -n 20 "$state/$2".{out,log} >&2 2>/dev/null || true
  bash "$here/down.sh" "$state"
  exit 1
}
trap 'bash "$here/down.sh" "$state"; exit 130' INT TERM

"$venv/bin/ironic-dbsync" --config-file "$state/ironic.conf" create_schema >dbsync.out 2>&1 || fail 'no database' dbsync
cp ironic.sqlite empty.sqlite
launch web "$venv/bin/python" -m http.server "$web_port" --bind 127.0.0.1 --directory "$state/http"
launch agent node "$here/agent/main.mjs" "$state"
launch bmc "$venv/bin/python" "$here/bmc.py" "$state/bmc.conf"
launch ironic "$venv/bin/python" "$here/ironic-all-in-one.py" --config-file "$state/ironic.conf"
answers() { curl -fsS --max-time 5 "$@" 2>/dev/null; }
is_ready() {
  answers -K curl.conf "$url/v1/drivers" | grep -q '"redfish"' &&
    answers "http://127.0.0.1:$bmc_port/redfish/v1/" >/dev/null &&
    answers "http://127.0.0.1:$agent_port/machines" >/dev/null &&
    answers "http://127.0.0.1:$web_port/images/" >/dev/null
}
deadline=$((SECONDS + patience))
until is_ready; do
  for name in web agent bmc ironic; do lives "$name" || fail "$name has ended" "$name"; done
  # Its first process would start the second one for ever.
  if grep -qs 'exited with status' ironic.log; then fail 'ironic does not start' ironic; fi
  [ $SECONDS -lt $deadline ] || fail "not ready within $patience s" ironic
  sleep 0.2
done
