#!/bin/bash
# Tests tests/gpu/prove.sh under faults, with a bundle of stand-ins: parts that fail, hang and are not
# here, an old driver, no time left. Results of earlier parts must not be lost.
#   faults_test.sh FOLDER      a scratch folder
set -eu
here=$(cd "$(dirname "$0")" && pwd)
folder=$1
rm -rf "$folder"
mkdir -p "$folder/bundle/bin" "$folder/bundle/proof/parts" "$folder/path"
cd "$folder"
failures=0
expect() { # WHAT FILE PATTERN
  grep -qE -- "$3" "$2" || { echo "failed: $1: no line like '$3' in $2:"; sed 's/^/  /' "$2"; failures=$((failures + 1)); }
}
program() { printf '#!/bin/sh\n%s\n' "$2" >"$1"; chmod +x "$1"; }

program bundle/bin/rethink true
program bundle/rethink 'echo rethink 0.0.0'
gpu() { program path/nvidia-smi "echo '$1'; exit ${2:-0}"; }
mkdir -p torch/include/torch/headeronly
torch() { printf '#define TORCH_VERSION_MAJOR %s\n#define TORCH_VERSION_MINOR %s\n#define TORCH_VERSION_PATCH 0\n' "$@" >torch/include/torch/headeronly/version.h; }
gpu 'NVIDIA H100 80GB HBM3, 580.159.04, 81000'
torch 2 11
program path/nvcc 'echo "release 13.0,"'
cp "$here/prove.sh" bundle/proof/
part() { echo "$2" >"bundle/proof/parts/$1"; }
part doctor.sh 'echo all is well'
part kernels.sh 'echo 3 passed, 1 failed; echo "failed: attention" >&2; exit 1'
part sanitizer.sh 'echo "the tool is not here" >&2; exit 77'
# Its child goes on in a separate session, like zygotes.
part trials.sh 'echo began; echo "\`\`\`"; setsid sleep 1000 & echo $! >>"$BUNDLE/hung"; exec sleep 1000'
part chaos.sh 'echo "@ not a part"; echo 20 kills'
part packing.sh 'kill -SEGV $$'
prove() {
  env PATH="$folder/path:/usr/bin:/bin" RETHINK_LIBTORCH="$folder/torch" PYTHON=none bundle/proof/prove.sh --out out "$@" >said 2>&1
}

code=0
prove --only doctor || code=$?
[ $code = 0 ] || { echo "failed: a part that passes: got exit code $code"; cat said; failures=$((failures + 1)); }

# Each fault of the machine is on one line, and the exit code is 1 although the part passes.
machine() { # WHAT PATTERN
  code=0
  rm -rf lacks
  prove --only doctor --out lacks || code=$?
  [ $code = 1 ] || { echo "failed: $1: got exit code $code, expected 1"; failures=$((failures + 1)); }
  expect "$1" said "$2"
  expect "$1: the part runs" said '^prove: doctor: passed'
}
gpu 'NVIDIA A100, 550.54, 40000'
machine "an old driver" 'driver is 550.54, CUDA 13 needs 580.*cu126 or cu128'
gpu 'No devices were found' 6
machine "no GPU" '^prove: no GPU: nvidia-smi finds none$'
gpu 'No devices were found'
machine "no GPU, told as an answer" '^prove: no GPU: nvidia-smi finds none$'
gpu 'NVIDIA H100, 580.1, 2000'
machine "little memory" 'the GPU has 2000 MiB free'
gpu 'NVIDIA H100 80GB HBM3, 580.159.04, 81000'
torch 2 9
machine "another PyTorch" 'PyTorch is 2.9.0, not 2.11'
rm torch/include/torch/headeronly/version.h
machine "no PyTorch" 'none has no PyTorch'
torch 2 11
mv path/nvcc path/other
[ -x /usr/local/cuda/bin/nvcc ] || machine "no nvcc" '^prove: no nvcc'
mv path/other path/nvcc

code=0
prove --limit 2 || code=$?
[ $code = 1 ] || { echo "failed: parts that fail: got exit code $code, expected 1"; failures=$((failures + 1)); }
expect "what passed is not run again" said '^prove: doctor: passed before$'
expect "a part that fails" said '^prove: kernels: failed, [0-9]+ s: failed: attention$'
expect "a part that hangs, in its line" said '^prove: jobs: failed, [0-9]+ s: it did not end within 2 s$'
expect "a part that is not here" said '^prove: memcheck: not here, .*the tool is not here$'
expect "a part that hangs" out/proof.md '^It failed: it did not end within 2 s$'
[ $(($(grep -c '^```' out/proof.md) % 2)) = 0 ] || { echo "failed: a fence is open in proof.md"; failures=$((failures + 1)); }
expect "what a part said before it failed" out/proof.md '^3 passed, 1 failed$'
expect "a part after those that fail" said '^prove: chaos: passed'
expect "a part that crashes" said '^prove: packing: failed'
expect "a section cannot be taken for another part" out/proof.md '^ @ not a part$'
expect "what stands behind that line" out/proof.md '^20 kills$'
expect "the table" out/proof.md '^\| doctor \| passed \| [0-9]+ \| NVIDIA H100 80GB HBM3, unknown, 20.*\|$'

# Parts that were not begun come before failed ones, and absent parts are not tried again.
code=0
prove --only kernels --out order || code=$?
prove --only memcheck --out order || code=$?
prove --limit 1 --out order || code=$?
expect "a part that is not here" said '^prove: memcheck: not here before$'
line_of() { grep -nE "^prove: $1: (passed|failed)" said | cut -d : -f 1; }
[ "$(line_of packing)" -lt "$(line_of kernels)" ] || {
  echo "failed: what failed before comes first"
  failures=$((failures + 1))
}

# The same holds on another machine that has only the state.
gpu 'NVIDIA H200, 580.159.04, 143000'
mkdir next
cp out/proof.state next/
part kernels.sh 'echo 4 passed, 0 failed'
code=0
prove --out next --only kernels || code=$?
expect "what is mended" next/proof.md '^\| kernels \| passed \|'
expect "what passed in an earlier call" next/proof.md '^all is well$'
expect "where that was" next/proof.md '^\| doctor \| passed \| [0-9]+ \| NVIDIA H100'
expect "where this was" next/proof.md '^\| kernels \| passed \| [0-9]+ \| NVIDIA H200'

code=0
prove --minutes 1 --only protocol --out brief || code=$?
[ $code = 1 ] || { echo "failed: a part that does not fit: got exit code $code, expected 1"; failures=$((failures + 1)); }
expect "a part that does not fit" said '^prove: protocol: not begun, [0-9]+ s are left$'
expect "the same in the table" brief/proof.md '^\| protocol \| not begun \|'

code=0
prove --minutes none || code=$?
[ $code = 2 ] || { echo "failed: wrong words: got exit code $code, expected 2"; failures=$((failures + 1)); }
sleep 0.2
while read -r process; do
  ! kill -0 "$process" 2>/dev/null || { echo "failed: a part that hung is still there"; failures=$((failures + 1)); }
done <bundle/hung
[ $failures = 0 ] || exit 1
echo "every fault was told, and nothing was lost"
