#!/bin/sh
# Installs the command into a dev container. It needs Node 20.12 or newer there, such as of the feature `node`.
set -e
command -v npm > /dev/null || { echo 'The sandbox needs Node: add ghcr.io/devcontainers/features/node before it.' >&2; exit 1; }
npm install --global --ignore-scripts --no-audit --no-fund "${PACKAGE:-@vendor-sandbox/sandbox}"
sandbox --version
