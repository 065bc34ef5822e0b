#!/bin/bash
# What tests/gpu/prove.sh does where something is wrong, on a bundle of stand-ins: parts that fail, hang and are not
# here, an old driver, no time left; and that nothing of earlier parts is lost.
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
program path/nvidia-smi 'echo 550.54'
cp "$here/prove.sh" bundle/proof/
part() { echo "$2" >"bundle/proof/parts/$1"; }
part doctor.sh 'echo all is well'
part kernels.sh 'echo 3 passed, 1 failed; echo "failed: attention" >&2; exit 1'
part sanitizer.sh 'echo "the tool is not here" >&2; exit 77'
part trials.sh 'echo began; echo $$ >>"$BUNDLE/hung"; exec sleep 1000'
part chaos.sh 'echo "@ not a part"; echo 20 kills'
part packing.sh 'kill -SEGV $$'
prove() { env PATH="$folder/path:/usr/bin:/bin" PYTHON=none bundle/proof/prove.sh --out out "$@" >said 2>&1; }

code=0
prove --only doctor || code=$?
[ $code = 0 ] || { echo "failed: a part that passes: got exit code $code"; failures=$((failures + 1)); }
expect "an old driver" said 'driver is 550.54, CUDA 13 needs 580'
expect "no PyTorch" said 'none has no PyTorch'

code=0
prove --limit 2 || code=$?
[ $code = 1 ] || { echo "failed: parts that fail: got exit code $code, expected 1"; failures=$((failures + 1)); }
expect "what passed is not run again" said '^prove: doctor: passed before$'
expect "a part that fails" said '^prove: kernels: failed, [0-9]+ s: failed: attention$'
expect "a part that is not here" said '^prove: memcheck: not here, .*the tool is not here$'
expect "a part that hangs" out/proof.md '^It did not end within 2 s\.$'
expect "what a part said before it failed" out/proof.md '^3 passed, 1 failed$'
expect "a part after those that fail" said '^prove: chaos: passed'
expect "a part that crashes" said '^prove: packing: failed'
expect "a section cannot be taken for another part" out/proof.state '^ @ not a part$'
expect "the table" out/proof.md '^\| doctor \| passed \| [0-9]+ \|$'

# The next call, with the state alone; what failed is run again.
mkdir next
cp out/proof.state next/
part kernels.sh 'echo 4 passed, 0 failed'
code=0
prove --out next --only kernels || code=$?
expect "what is mended" next/proof.md '^\| kernels \| passed \|'
expect "what passed in an earlier call" next/proof.md '^all is well$'

code=0
prove --minutes 1 --only protocol || code=$?
[ $code = 1 ] || { echo "failed: a part that does not fit: got exit code $code, expected 1"; failures=$((failures + 1)); }
expect "a part that does not fit" said '^prove: protocol: not begun, [0-9]+ s are left$'
expect "the same in the table" out/proof.md '^\\| protocol \\| not begun \\|'

code=0
prove --minutes none || code=$?
[ $code = 2 ] || { echo "failed: wrong words: got exit code $code, expected 2"; failures=$((failures + 1)); }
while read -r process; do
  ! kill -0 "$process" 2>/dev/null || { echo "failed: a part that hung is still there"; failures=$((failures + 1)); }
done <bundle/hung
[ $failures = 0 ] || exit 1
echo "every fault was told, and nothing was lost"
