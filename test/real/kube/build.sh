#!/usr/bin/env bash
# Builds what a control plane is made of (etcd, kube-apiserver, kube-controller-manager) into a cache folder, and prints that
# folder. What is there already in the pinned version is kept; a second run waits for a first one that is still at it.
#   usage: build.sh [COMPONENT]...     all three by default
#   IRONCHART_KUBE_BIN: the folder, instead of the one in the user's cache
set -euo pipefail
version=1.37.2
modules=$(cd "$(dirname "$0")" && pwd)/kube-v$version
bin=${IRONCHART_KUBE_BIN:-${XDG_CACHE_HOME:-$HOME/.cache}/ironchart/kube-$version}
if [ $# -eq 0 ]; then set -- etcd kube-apiserver kube-controller-manager; fi

package_of() {
  case $1 in
    etcd) echo go.etcd.io/etcd/server/v3 ;;
    kube-apiserver | kube-controller-manager) echo "k8s.io/kubernetes/cmd/$1" ;;
    *) echo "build: no such component: $1" >&2 && return 1 ;;
  esac
}

is_built() { [ -x "$bin/$1" ] && [ "$(cat "$bin/.$1.version" 2>/dev/null)" = "v$version" ]; }

# The release that the binaries say they are: they would call themselves v0.0.0 otherwise, and clients go by it.
stamps() {
  local base=k8s.io/component-base/version minor=${version#*.}
  echo "-X $base.gitVersion=v$version -X $base.gitMajor=${version%%.*} -X $base.gitMinor=${minor%%.*}" \
    "-X $base.gitTreeState=clean -X k8s.io/client-go/pkg/version.gitVersion=v$version"
}

mkdir -p "$bin"
exec {lock}>"$bin/.lock"
flock "$lock"
for component in "$@"; do
  package=$(package_of "$component")
  if is_built "$component"; then continue; fi
  if ! command -v go >/dev/null; then
    echo "build: $component $version is not in $bin, and there is no Go to build it with: install Go" \
      "$(sed -n 's/^go //p' "$modules/go.mod") or newer, or put the binary and .$component.version there" >&2
    exit 1
  fi
  echo "build: $component $version: minutes, and only this once" >&2
  started=$SECONDS
  (cd "$modules" && CGO_ENABLED=0 \
    go build -trimpath -ldflags "-s -w $(stamps)" -o "$bin/.$component.new" "$package" >&2)
  mv "$bin/.$component.new" "$bin/$component"
  echo "v$version" >"$bin/.$component.version"
  echo "build: $component took $((SECONDS - started)) s" >&2
done
echo "$bin"
