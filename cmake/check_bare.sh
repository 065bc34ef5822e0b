#!/bin/sh
# Proves that the programs start from the pinned wheels alone: the loader's cache, through which an installed CUDA
# toolkit would be found, is left out, and the libcudart of a LibTorch that has one must come from the unpacked wheels.
#   check_bare.sh BIN
set -eu
bin=$1
loader=/lib64/ld-linux-x86-64.so.2
libraries=$(env -u LD_LIBRARY_PATH "$loader" --inhibit-cache --list "$bin/rethink-worker")
echo "$libraries" | grep -q 'not found' && { echo "$libraries" | grep 'not found'; exit 3; }
cudart=$(echo "$libraries" | sed -n 's/.*libcudart[^ ]* => \([^ ]*\).*/\1/p')
case $cudart in
  '' | */nvidia/cu13/lib/*) ;;
  *) echo "libcudart comes from $cudart, not from the wheels"; exit 3 ;;
esac
env -u LD_LIBRARY_PATH "$loader" --inhibit-cache "$bin/rethink-worker" schema >/dev/null
echo "rethink-worker starts from the wheels alone (${cudart:-no CUDA})"
