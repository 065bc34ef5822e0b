#!/bin/sh
# Over the rooms without LibTorch: every header compiles by itself, and clang-tidy finds nothing. The compile
# database comes from a build without the precompiled header, which clang-tidy cannot read. It holds GCC's flags,
# some of which clang does not know.
set -eu
command -v clang-tidy-16 >/dev/null || { echo "lint: needs clang-tidy-16 (apt-get install clang-tidy-16)" >&2; exit 3; }
cmake -S . -B build/lint -G Ninja -DCMAKE_BUILD_TYPE=Debug -DRETHINK_LIBTORCH=OFF -DRETHINK_BATCH=1 -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON \
  -DCMAKE_VERIFY_INTERFACE_HEADER_SETS=ON --log-level=WARNING
cmake --build build/lint -j 2 --target all_verify_interface_header_sets
git ls-files 'core/*.cpp' 'datasets/*.cpp' 'results/*.cpp' 'experiments/attempt/*.cpp' 'experiments/plan/*.cpp' 'experiments/run/*.cpp' \
  'experiments/site/*.cpp' 'plots/*.cpp' 'app/driver/*.cpp' \
  'models/masks/*.cpp' 'models/permutations/*.cpp' 'app/build_hash/*.cpp' | xargs -P 2 -n 4 clang-tidy-16 -p build/lint --quiet \
    --extra-arg=-Wno-unused-command-line-argument
