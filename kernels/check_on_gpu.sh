#!/bin/sh
# Builds this room alone and runs its self-check: for a GPU machine that has PyTorch (or a LibTorch folder), CMake,
# g++ and nvcc, but none of the project's other libraries.
#
#   kernels/check_on_gpu.sh [BUILD_FOLDER]      TORCH_DIR=... names the folder with LibTorch's include/ and lib/
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=${1:-$(mktemp -d)}
if [ -z "${TORCH_DIR:-}" ]; then
  # Python only prints the folder of PyTorch.
  TORCH_DIR=$(python3 -c 'import importlib.util as u; print(u.find_spec("torch").submodule_search_locations[0])') || {
    echo "check_on_gpu: no PyTorch found; set TORCH_DIR to a folder with LibTorch's include/ and lib/" >&2
    exit 2
  }
fi
PATH=$PATH:/usr/local/cuda/bin
command -v nvcc >/dev/null || { echo "check_on_gpu: nvcc is missing; install the CUDA Toolkit or put it on PATH" >&2; exit 2; }
cmake -S "$here" -B "$build" -DCMAKE_BUILD_TYPE=Release -DTORCH_DIR="$TORCH_DIR" -DRETHINK_CUDA=ON
cmake --build "$build" --parallel "$(nproc)"
"$build/bin/kernels_check" --gpu
