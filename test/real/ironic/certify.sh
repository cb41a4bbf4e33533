#!/usr/bin/env bash
# Makes a new authority and a certificate of it for 127.0.0.1, in place of what the folder held: ca.crt, ironic.crt, ironic.key.
#   usage: certify.sh FOLDER
set -euo pipefail
umask 077
mkdir -p "${1:?usage: certify.sh FOLDER}"
cd "$1"
for name in ca ironic; do openssl ecparam -name prime256v1 -genkey -noout -out "$name.key"; done
openssl req -x509 -new -key ca.key -sha256 -days 30 -subj "/CN=ironchart-test-$RANDOM" -out ca.new \
  -addext basicConstraints=critical,CA:TRUE -addext keyUsage=critical,keyCertSign
openssl req -new -key ironic.key -subj /CN=ironic -out ironic.csr
printf 'extendedKeyUsage=serverAuth\nsubjectAltName=IP:127.0.0.1,DNS:localhost\n' >ironic.ext
openssl x509 -req -in ironic.csr -CA ca.new -CAkey ca.key -set_serial "0x$(openssl rand -hex 8)" -sha256 -days 30 \
  -extfile ironic.ext -out ironic.crt 2>/dev/null
# Whoever reads it meanwhile gets a whole one.
mv ca.new ca.crt
