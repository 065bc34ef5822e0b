#!/bin/sh
# Makes a folder with everything that tests/gpu/prove.sh needs on a GPU machine, and packs it: the bundle of
# cmake/bundle.sh with the CUDA plug-in, the sources of the kernels, small data, the peers' scripts and the proof.
#   gpu_bundle.sh BUILD TARGET [--without-plugin]     packs TARGET.tar.xz; without: what is built, to rehearse on a CPU
set -eu
build=$1
target=$2
plugin=${3:-}
if [ "$plugin" != --without-plugin ]; then
  PATH=$PATH:/usr/local/cuda/bin
  command -v nvcc >/dev/null || {
    echo "gpu-bundle: nvcc is missing: install the CUDA Toolkit 13 (cuda-toolkit-13-0 of NVIDIA's Debian repository)" >&2
    exit 3
  }
  sh cmake/programs.sh "$(basename "$build")"
  sh cmake/build.sh "$build" "the plug-in and its check" rethink_cuda kernels_check
fi
sh cmake/bundle.sh "$build" "$target"
[ "$plugin" != --without-plugin ] || rm -f "$target/bin/librethink_cuda.so"

mkdir -p "$target/source/cmake" "$target/source/core" "$target/proof/peers" "$target/data"
cp -r kernels "$target/source/"
cp core/philox.h "$target/source/core/"
cp cmake/batches.cmake cmake/LibTorch.cmake cmake/precompiled_header.cmake "$target/source/cmake/"
cp -r tests/gpu/. "$target/proof/"
cp tests/bench/peers/*.py "$target/proof/peers/"
cp tests/gpu/data/* "$target/data/"
# The King James Bible, one verse per line, as a user's text, since the machine lacks the package bible-kjv.
bible -p /usr/lib -f gen1:1-rev22:21 | sed 's/^[^ ]* //' >"$target/data/kjv.txt"
[ "$(wc -l <"$target/data/kjv.txt")" -eq 31102 ] || { echo "gpu-bundle: bible-kjv did not give 31,102 verses" >&2; exit 3; }
if [ -d "${RETHINK_DATA:-}/wikitext-2" ]; then cp -r "$RETHINK_DATA/wikitext-2" "$target/data/"; fi

tar -C "$(dirname "$target")" -cf - "$(basename "$target")" | xz -T 0 -6 >"$target.tar.xz"
megabytes=$(($(stat -c %s "$target.tar.xz") / 1000000))
echo "$target.tar.xz: $megabytes MB; there: tar -xJf $(basename "$target").tar.xz && $(basename "$target")/proof/prove.sh"
[ "$megabytes" -lt 60 ] || { echo "gpu-bundle: got $megabytes MB, expected less than 60" >&2; exit 3; }
