#!/bin/sh
# Builds the two programs from nothing. The driver needs no LibTorch, so it is compiled while a missing LibTorch is
# downloaded.
#   programs.sh PRESET
set -eu
preset=$1
configure() { cmake --preset "$preset" --log-level=WARNING "$@" >/dev/null; }

sh cmake/deps.sh packages
case $preset in
  asan | tsan)
    configure
    ;;
  *)
    has_libtorch=0
    sh cmake/deps.sh has_libtorch || has_libtorch=$?
    [ "$has_libtorch" -le 1 ] || exit "$has_libtorch"
    if [ "$has_libtorch" -eq 1 ]; then
      sh cmake/deps.sh libtorch &
      download=$!
      trap 'kill "$download" 2>/dev/null || true' EXIT
      trap 'exit 130' INT
      trap 'exit 143' TERM HUP
      configure -DRETHINK_LIBTORCH=OFF
      sh cmake/build.sh "$preset" "the driver" rethink
      wait "$download"
    fi
    configure -DRETHINK_LIBTORCH=ON
    ;;
esac
sh cmake/build.sh "$preset" "the programs" programs
