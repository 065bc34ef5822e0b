#!/bin/sh
# Installs what rethink builds with: Debian packages (as root or through sudo) and the LibTorch
# wheels, unpacked into a cache outside the checkout so that a second clone downloads nothing.
# Idempotent. Environment: RETHINK_CACHE (default ~/.cache/rethink), TORCH_DIR (a LibTorch of
# one's own: the wheels are then left alone).
set -eu

here=$(cd "$(dirname "$0")" && pwd)
cache=${RETHINK_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/rethink}
version=2.11.0
libtorch=$cache/libtorch-$version

say() { printf 'deps: %s\n' "$*" >&2; }
fail() { say "$*"; exit 3; }

install_packages() {
  missing=$(sed 's/#.*//' "$here/packages.txt" | while read -r package; do
    [ -z "$package" ] && continue
    status=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true)
    [ "$status" = installed ] || printf '%s ' "$package"
  done)
  [ -z "$missing" ] && return 0
  as_root=
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || fail "these packages are missing and neither root nor sudo is at hand: $missing"
    as_root=sudo
  fi
  say "installing $missing"
  $as_root apt-get update -qq
  # shellcheck disable=SC2086  # a list of package names
  $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >/dev/null
}

# The wheel names its platform: pip on another machine would pick another build of the same version.
fetch_wheels() {
  [ -n "${TORCH_DIR:-}" ] && { say "using the LibTorch in $TORCH_DIR"; return 0; }
  [ -f "$libtorch/complete" ] && return 0
  [ "$(uname -m)" = x86_64 ] || fail "the pinned LibTorch is for x86_64; name another with TORCH_DIR"
  work=$libtorch.partial.$$
  mkdir -p "$work/wheels"
  trap 'rm -rf "$work"' EXIT
  say "downloading LibTorch $version (530 MB)"
  python3 -m pip download --quiet --disable-pip-version-check --no-deps --only-binary=:all: \
    --python-version 3.11 --implementation cp --abi cp311 --abi none \
    --platform manylinux_2_28_x86_64 --platform manylinux_2_25_x86_64 \
    --platform manylinux_2_17_x86_64 --platform manylinux2014_x86_64 \
    --require-hashes -r "$here/wheels.txt" -d "$work/wheels"
  say "unpacking"
  for wheel in "$work"/wheels/*.whl; do
    # Only what a C++ program needs: no Python sources, no test programs. 11: one of the patterns matched nothing.
    unzip -q -o "$wheel" 'torch/lib/*' 'torch/include/*' 'torch/version.py' 'nvidia/*' -x '*.py' -d "$work" 2>/dev/null || [ $? -eq 11 ]
  done
  rm -rf "$work/wheels"
  [ -f "$work/torch/lib/libtorch_cpu.so" ] || fail "the LibTorch wheel did not unpack; is the disk full? ($cache)"
  touch "$work/complete"
  rm -rf "$libtorch"
  mv "$work" "$libtorch"
  trap - EXIT
  say "LibTorch $version is in $libtorch"
}

install_packages
fetch_wheels
