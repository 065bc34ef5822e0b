#!/bin/sh
# Installs what make.sh made into an empty HOME, as a user without root would, and runs the demo's sweep with each: the wheel without
# its dependencies, with the LibTorch of BUILD, and the packed bundle.
#   try.sh BUILD TARGET
set -eu
build=$(cd "$1" && pwd)
target=$(cd "$2" && pwd)
libtorch=$(ldd "$build/bin/rethink-worker" | sed -n 's,.*=> \(.*\)/lib/libtorch_cpu.so .*,\1,p')
home=$(mktemp -d)
trap 'rm -rf "$home"' EXIT
(cd "$target" && sha256sum --quiet -c SHA256SUMS)

run_demo() { # NAME PROGRAM...
  name=$1
  shift
  mkdir "$home/$name"
  (
    cd "$home/$name"
    env -i HOME="$home" PATH=/usr/bin:/bin RETHINK_LIBTORCH="$libtorch" "$@" run demo/diag_discount --profile smoke --quiet
    env -i HOME="$home" PATH=/usr/bin:/bin RETHINK_LIBTORCH="$libtorch" "$@" table demo/diag_discount --profile smoke > table
    grep -q 'that it runs' table
  )
  echo "release: $name runs the demo's sweep"
}

python3 -m venv "$home/environment"
"$home/environment/bin/pip" install --quiet --disable-pip-version-check --no-index --no-deps "$target"/*.whl
run_demo wheel "$home/environment/bin/rethink"
# The environment has no pandas; the module is tried with a Python that has it.
modules=$("$home/environment/bin/python" -c 'import os, rethink; print(os.path.dirname(os.path.dirname(rethink.__file__)))')
for python in "${RETHINK_PYTHON:-python3}" /usr/bin/python3; do
  "$python" -c 'import pandas' 2> /dev/null || continue
  (cd "$home/wheel" && env -i HOME="$home" PATH=/usr/bin:/bin PYTHONPATH="$modules" "$(command -v "$python")" -c '
import rethink
frame = rethink.read()
assert len(frame) > 0 and (frame["state"] == "done").all(), frame')
  echo "release: the wheel's read() gives a pandas frame"
  break
done

mkdir "$home/unpacked"
zstd -q -dc "$target"/*.tar.zst | tar -xf - -C "$home/unpacked"
run_demo bundle "$home"/unpacked/*/rethink
