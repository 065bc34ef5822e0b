#!/bin/sh
# Installs what rethink builds with: Debian packages (as root or through sudo) and the LibTorch wheels, unpacked into a
# cache outside the checkout so that a second clone downloads nothing. Idempotent.
#   deps.sh [packages | libtorch | has_libtorch]     without a word: both; has_libtorch: exits 1 where LibTorch is missing
# Environment: RETHINK_CACHE (default ~/.cache/rethink), TORCH_DIR (another LibTorch folder: the wheels are then
# not used), RETHINK_CUDA_LIBRARIES (below).
set -eu

here=$(cd "$(dirname "$0")" && pwd)
cache=${RETHINK_CACHE:-${XDG_CACHE_HOME:-${HOME:-}/.cache}/rethink}
version=2.11.0
libtorch=$cache/libtorch-$version
proof=torch/lib/libtorch_cpu.so proof_cuda=nvidia/cudnn/lib/libcudnn.so.9
libtorch_size="530 MB to download, 1.1 GB unpacked"
cuda_size="2 GB to download"

# On a terminal this overwrites a line of progress (build.sh).
say() {
  [ ! -t 2 ] || printf '\r\033[K' >&2
  printf 'deps: %s\n' "$*" >&2
}
fail() { say "$*"; exit 3; }

# The packages of packages.txt that this machine lacks, on one line.
missing_packages() {
  sed 's/#.*//' "$here/packages.txt" | while read -r package; do
    [ -z "$package" ] && continue
    status=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true)
    [ "$status" = installed ] || printf '%s ' "$package"
  done
}

install_packages() {
  missing=$(missing_packages)
  [ -z "$missing" ] && return 0
  as_root=
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || fail "these packages are missing and neither root nor sudo is at hand: $missing"
    as_root=sudo
  fi
  say "installing these Debian packages: $missing"
  $as_root apt-get update -qq
  # shellcheck disable=SC2086  # a list of package names
  $as_root env LC_ALL=C apt-get install --print-uris --no-install-recommends $missing 2>/dev/null | sed -n '
    s/^[0-9]* upgraded, \([0-9]* newly installed\).*/\1, dependencies included/
    s/ of archives\././
    /newly installed/p
    /^Need to get/p
    /^After this operation/p' | while read -r line; do say "  $line"; done
  [ -n "${TORCH_DIR:-}" ] || has_wheels complete $proof || say "and then LibTorch $version: $libtorch_size, into $libtorch"
  [ -n "${TORCH_DIR:-}" ] || ! wants_cuda || has_wheels complete_cuda $proof_cuda || say "and what it needs for a GPU: $cuda_size"
  # An interrupted installation is finished first, since apt refuses anything else.
  [ -z "$(dpkg --audit)" ] || $as_root env DEBIAN_FRONTEND=noninteractive dpkg --configure -a >/dev/null
  # shellcheck disable=SC2086
  $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >/dev/null
}

# Returns whether this machine has a GPU driver. RETHINK_CUDA_LIBRARIES=yes or no overrides this for another machine.
wants_cuda() {
  case ${RETHINK_CUDA_LIBRARIES:-auto} in
    yes) return 0 ;;
    no) return 1 ;;
    auto) [ -e /proc/driver/nvidia/version ] || [ -e /dev/nvidiactl ] || [ -e /dev/dxg ] ;;
    *) fail "RETHINK_CUDA_LIBRARIES: got '$RETHINK_CUDA_LIBRARIES', expected yes, no or auto" ;;
  esac
}

# Downloads the wheels that LIST pins and unpacks them into FOLDER.
# The platforms are named: pip on another machine would pick another build of the same version.
unpack_wheels() { # LIST FOLDER
  mkdir -p "$2/wheels"
  python3 -m pip download --quiet --disable-pip-version-check --no-deps --only-binary=:all: \
    --python-version 3.11 --implementation cp --abi cp311 --abi none \
    --platform manylinux_2_28_x86_64 --platform manylinux_2_27_x86_64 --platform manylinux_2_25_x86_64 \
    --platform manylinux_2_18_x86_64 --platform manylinux_2_17_x86_64 --platform manylinux2014_x86_64 \
    --platform manylinux_2_12_x86_64 --require-hashes -r "$here/$1" -d "$2/wheels"
  for wheel in "$2"/wheels/*.whl; do
    # Unpacks only files for C++ programs: no Python sources, no test programs. 11: one of the patterns matched nothing.
    unzip -q -o "$wheel" 'torch/lib/*' 'torch/include/*' 'torch/version.py' 'nvidia/*' -x '*.py' -d "$2" 2>/dev/null || [ $? -eq 11 ]
    rm "$wheel"
  done
  rmdir "$2/wheels"
}

# Installs the wheels that LIST pins in the LibTorch folder, once. PROOF is a file that must then exist; STAMP is written
# last, so that an interrupted installation begins again.
fetch() { # LIST PROOF STAMP WHAT
  has_wheels "$3" "$2" && return 0
  for left in "$libtorch".partial.*; do # by a download that was killed
    [ ! -d "$left" ] || kill -0 "${left##*.}" 2>/dev/null || rm -rf "$left"
  done
  work=$libtorch.partial.$$
  trap 'rm -rf "$work"' EXIT
  trap 'exit 130' INT
  trap 'exit 143' TERM HUP
  say "downloading $4"
  unpack_wheels "$1" "$work"
  [ -f "$work/$2" ] || fail "the wheels of cmake/$1 did not unpack; is the disk full? ($cache)"
  mkdir -p "$libtorch"
  cp -alf "$work/." "$libtorch/"
  touch "$libtorch/$3"
  rm -rf "$work"
  trap - EXIT INT TERM HUP
  say "unpacked into $libtorch"
}

has_wheels() { # STAMP PROOF
  [ -f "$libtorch/$1" ] && [ -f "$libtorch/$2" ]
}

# Returns 1 if a download is needed.
has_libtorch() {
  [ -n "${TORCH_DIR:-}" ] && return 0
  [ "$(uname -m)" = x86_64 ] || fail "the pinned LibTorch is for x86_64; name another with TORCH_DIR"
  [ -n "${RETHINK_CACHE:-}${XDG_CACHE_HOME:-}${HOME:-}" ] || fail "no place for LibTorch: set HOME or RETHINK_CACHE"
  has_wheels complete $proof || return 1
  ! wants_cuda || has_wheels complete_cuda $proof_cuda
}

install_libtorch() {
  if [ -n "${TORCH_DIR:-}" ]; then
    say "using the LibTorch in $TORCH_DIR"
    return 0
  fi
  has_libtorch && return 0
  fetch wheels.txt $proof complete "LibTorch $version ($libtorch_size)"
  if wants_cuda; then
    fetch wheels_cuda.txt $proof_cuda complete_cuda "what LibTorch needs for a GPU ($cuda_size)"
  fi
}

case ${1:-all} in
  packages) install_packages ;;
  libtorch) install_libtorch ;;
  has_libtorch) has_libtorch ;;
  all)
    install_packages
    install_libtorch
    ;;
  *) fail "got '$1', expected packages, libtorch, has_libtorch or nothing" ;;
esac
