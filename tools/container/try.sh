#!/usr/bin/env bash
# Builds the image without a daemon and without a registry of images, and calls what it serves. It needs root, buildah and
# mmdebstrap; Node comes from this machine and the rest of both base images from Debian's packages.
set -euo pipefail

root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export STORAGE_DRIVER=vfs BUILDAH_ISOLATION=chroot

# What Node's binary needs, taken out of its packages; Node brings its own certificates.
mmdebstrap --variant=extract --include=libc6,libstdc++6 bookworm "$work/run.tar"
# The same with a shell, Node and npm.
mmdebstrap --variant=minbase --include=libstdc++6,ca-certificates bookworm "$work/node.tar"

base() {
  local container
  container=$(buildah from scratch)
  buildah add -q "$container" "$1" /
  if [ "$2" = sandbox-node ]; then
    buildah copy -q "$container" "$(readlink -f "$(command -v node)")" /usr/local/bin/node
    buildah copy -q "$container" "$(npm root -g)/npm" /usr/local/lib/node_modules/npm
    buildah run "$container" -- ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm
    buildah run "$container" -- ln -s ../lib/node_modules/npm/bin/npx-cli.js /usr/local/bin/npx
    # Whom this machine trusts, if it has to trust somebody of its own.
    if [ -n "${NODE_EXTRA_CA_CERTS:-}" ]; then
      buildah copy -q "$container" "$NODE_EXTRA_CA_CERTS" /etc/extra-ca.pem
      buildah config --env NODE_EXTRA_CA_CERTS=/etc/extra-ca.pem "$container"
    fi
  fi
  buildah commit -q --rm "$container" "$2"
}
base "$work/run.tar" sandbox-run
base "$work/node.tar" sandbox-node

buildah build --network host --build-arg NODE_IMAGE=localhost/sandbox-node --build-arg RUN_IMAGE=localhost/sandbox-run \
  --format docker -t vendor-sandbox -f "$root/tools/container/Dockerfile" "$root"

container=$(buildah from localhost/vendor-sandbox)
folder=$(buildah mount "$container")
printf 'the image takes %s MB\n' "$(du -sm "$folder" | cut -f1)"
test -s "$folder/app/sbom.cdx.json"
buildah inspect --type image --format '{{.OCIv1.Config.User}} {{.OCIv1.Config.Entrypoint}}' localhost/vendor-sandbox
buildah run --user 65532:65532 "$container" -- /usr/bin/node /app/dist/app/cli.cjs \
  serve payments task-automation --port 8871 --key sk_test_container "$@" &
served=$!
for _ in $(seq 100); do curl -fs http://127.0.0.1:8871/readyz && break || sleep 0.2; done
curl -fs -H 'Authorization: Bearer sk_test_container' -d name=Ada http://127.0.0.1:8871/v1/customers
kill "$served"
wait "$served" || true
buildah rm "$container" >/dev/null
