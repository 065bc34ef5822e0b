#!/bin/sh
# Builds the two programs from nothing. The driver needs no LibTorch, so it is compiled while a missing LibTorch is
# downloaded.
#   programs.sh PRESET
set -eu
preset=$1
build=build/$preset
configure() { cmake --preset "$preset" --log-level=WARNING "$@" >/dev/null; }
say() { printf 'programs: %s\n' "$*" >&2; }

sh cmake/deps.sh packages
[ -d "$build/bin" ] || say "a first build takes about 6 minutes on two cores, in two parts: the driver, then all of both programs"
case $preset in
  asan | tsan)
    configure
    ;;
  *)
    has_libtorch=0
    sh cmake/deps.sh has_libtorch || has_libtorch=$?
    [ "$has_libtorch" -le 1 ] || exit "$has_libtorch"
    if [ "$has_libtorch" -eq 1 ]; then
      # The download runs in a separate process group, so that it can be ended with all its processes.
      setsid sh cmake/deps.sh libtorch &
      download=$!
      trap 'kill -TERM "-$download" 2>/dev/null || true' EXIT
      trap 'exit 130' INT
      trap 'exit 143' TERM HUP
      configure -DRETHINK_LIBTORCH=OFF
      sh cmake/build.sh "$build" "the driver" rethink
      wait "$download" || {
        say "LibTorch could not be downloaded (the reason stands above); the driver is built, and the next call goes on from here"
        exit 3
      }
      trap - EXIT INT TERM HUP
    fi
    configure -DRETHINK_LIBTORCH=ON
    ;;
esac
sh cmake/build.sh "$build" "the programs" programs
