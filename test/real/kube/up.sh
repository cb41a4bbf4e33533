#!/usr/bin/env bash
# Starts a control plane on loopback: etcd, kube-apiserver, kube-controller-manager, on free ports, with everything it keeps
# below one folder. Returns when it is ready; down.sh ends exactly that. Folders side by side do not disturb each other.
#   usage: up.sh STATE_FOLDER
# In the folder afterwards: admin.kubeconfig and operator.kubeconfig (two names, for the audit log's sake), url, token (of the
# admin), pki/ca.crt, NAME.pid and NAME.log of each process, NAME.start to start it again, audit.log.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=../free-port.sh
source "$here/../free-port.sh"
state=${1:?usage: up.sh STATE_FOLDER}
bin=$("$here/build.sh")
patience=${IRONCHART_KUBE_PATIENCE:-120}

for tool in openssl curl flock setsid; do
  command -v "$tool" >/dev/null || { echo "up: there is no $tool: install it" >&2; exit 1; }
done
mkdir -p "$state"
state=$(cd "$state" && pwd)
chmod 700 "$state"
# What an earlier run in this folder has left, running or not.
bash "$here/down.sh" "$state"
mkdir -p "$state/pki" "$state/etcd"
chmod 700 "$state/etcd"
cd "$state"

free_port && client_port=$REPLY
free_port && peer_port=$REPLY
free_port && api_port=$REPLY
url=https://127.0.0.1:$api_port

key() { openssl ecparam -name prime256v1 -genkey -noout -out "pki/$1.key"; }
# usage: certificate NAME SUBJECT USAGE [NAMES]
certificate() {
  key "$1"
  openssl req -new -key "pki/$1.key" -subj "$2" -out "pki/$1.csr"
  {
    echo 'keyUsage=critical,digitalSignature'
    echo "extendedKeyUsage=$3"
    if [ -n "${4:-}" ]; then echo "subjectAltName=$4"; fi
  } >"pki/$1.ext"
  openssl x509 -req -in "pki/$1.csr" -CA pki/ca.crt -CAkey pki/ca.key -CAcreateserial -sha256 -days 30 \
    -extfile "pki/$1.ext" -out "pki/$1.crt" 2>/dev/null
}
key ca
openssl req -x509 -new -key pki/ca.key -sha256 -days 30 -subj /CN=ironchart-test -out pki/ca.crt \
  -addext basicConstraints=critical,CA:TRUE -addext keyUsage=critical,keyCertSign,cRLSign
certificate apiserver /CN=kube-apiserver serverAuth 'IP:127.0.0.1,DNS:localhost,IP:10.0.0.1'
for user in admin operator controllers; do certificate "$user" "/O=system:masters/CN=$user" clientAuth; done
key accounts
openssl ec -in pki/accounts.key -pubout -out pki/accounts.pub 2>/dev/null

(umask 077 && openssl rand -hex 24 >token)
(umask 077 && echo "$(cat token),admin,admin,system:masters" >pki/tokens.csv)
for user in admin operator controllers; do
  cat >"$user.kubeconfig" <<END
apiVersion: v1
kind: Config
current-context: test
clusters: [{ name: test, cluster: { server: '$url', certificate-authority: $state/pki/ca.crt } }]
users: [{ name: $user, user: { client-certificate: $state/pki/$user.crt, client-key: $state/pki/$user.key } }]
contexts: [{ name: test, context: { cluster: test, user: $user, namespace: default } }]
END
done
cat >audit-policy.yaml <<'END'
apiVersion: audit.k8s.io/v1
kind: Policy
omitStages: [RequestReceived]
rules:
  - { level: None, users: ['system:apiserver', controllers] }
  - { level: None, nonResourceURLs: ['/readyz*', '/livez*', '/healthz*', /metrics] }
  - { level: Metadata }
END

# usage: launch NAME COMMAND... Apart from this shell, so that it lives on when this shell ends.
launch() {
  local name=$1
  shift
  printf 'exec %s >>%q 2>&1 </dev/null\n' "$(printf '%q ' "$@")" "$state/$name.log" >"$name.start"
  setsid bash "$name.start" &
  echo $! >"$name.pid"
}
# A process that has ended may remain as a zombie, without a file to its name.
lives() { readlink "/proc/$(cat "$1.pid")/exe" >/dev/null 2>&1; }
fail() {
  echo "up: $1" >&2
  tail -n 20 "$state/$2.log" >&2 || true
  bash "$here/down.sh" "$state"
  exit 1
}
trap 'bash "$here/down.sh" "$state"; exit 130' INT TERM

launch etcd "$bin/etcd" --name test --data-dir "$state/etcd" --log-level warn --unsafe-no-fsync \
  --listen-client-urls "http://127.0.0.1:$client_port" --advertise-client-urls "http://127.0.0.1:$client_port" \
  --listen-peer-urls "http://127.0.0.1:$peer_port" --initial-advertise-peer-urls "http://127.0.0.1:$peer_port" \
  --initial-cluster "test=http://127.0.0.1:$peer_port"
launch kube-apiserver "$bin/kube-apiserver" --etcd-servers "http://127.0.0.1:$client_port" \
  --bind-address 127.0.0.1 --secure-port "$api_port" --advertise-address 127.0.0.1 --endpoint-reconciler-type none \
  --service-cluster-ip-range 10.0.0.0/24 --authorization-mode RBAC \
  --disable-admission-plugins ServiceAccount --enable-admission-plugins OwnerReferencesPermissionEnforcement \
  --tls-cert-file "$state/pki/apiserver.crt" --tls-private-key-file "$state/pki/apiserver.key" \
  --client-ca-file "$state/pki/ca.crt" --token-auth-file "$state/pki/tokens.csv" \
  --service-account-issuer https://kubernetes.default.svc --service-account-key-file "$state/pki/accounts.pub" \
  --service-account-signing-key-file "$state/pki/accounts.key" \
  --audit-policy-file "$state/audit-policy.yaml" --audit-log-path "$state/audit.log" --profiling=false
deadline=$((SECONDS + patience))
until curl -fsS --max-time 2 --cacert pki/ca.crt -H "authorization: Bearer $(cat token)" "$url/readyz" >/dev/null 2>&1; do
  for name in etcd kube-apiserver; do lives "$name" || fail "$name has ended" "$name"; done
  [ $SECONDS -lt $deadline ] || fail "not ready within $patience s" kube-apiserver
  sleep 0.1
done
# It gives up within seconds when there is no API server yet.
launch kube-controller-manager "$bin/kube-controller-manager" --kubeconfig "$state/controllers.kubeconfig" \
  --leader-elect=false --secure-port 0 --concurrent-gc-syncs 5 --kube-api-qps 200 --kube-api-burst 400 \
  --service-account-private-key-file "$state/pki/accounts.key" --root-ca-file "$state/pki/ca.crt" \
  --controllers garbage-collector-controller,namespace-controller,serviceaccount-controller,clusterrole-aggregation-controller
echo "$url" >url
echo "http://127.0.0.1:$client_port" >etcd-url
