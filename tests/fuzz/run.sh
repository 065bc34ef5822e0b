#!/bin/sh
# Runs each fuzz target for SECONDS_EACH, from seeds and from inputs of earlier runs (BUILD/corpus). Exits 1 if a target
# stopped at a fault; the input is then BUILD/faults/TARGET-*.
#   run.sh BUILD SECONDS_EACH
set -eu
build=$1 seconds=$2
here=$(cd "$(dirname "$0")/../.." && pwd)
mkdir -p "$build/faults"

seed() { # TARGET FILE...
  folder=$build/corpus/$1
  mkdir -p "$folder"
  shift
  for file in "$@"; do cp "$file" "$folder/$(basename "$file").seed"; done
}
small=$(mktemp -d)
trap 'rm -rf "$small"' EXIT
mkdir "$small/data"
echo "a line" >"$small/data/train.txt"
python3 - "$small" <<'PYTHON'
import struct, sys, tarfile, zipfile
folder = sys.argv[1]
header = b'{"__metadata__":{"format":"pt"},"a":{"dtype":"F32","shape":[2,2],"data_offsets":[0,16]}}'
open(folder + '/two.safetensors', 'wb').write(struct.pack('<Q', len(header)) + header + bytes(16))
for mode in ('w', 'w:gz'):
    with tarfile.open(folder + '/plain.tar' + mode[2:], mode) as tar:
        tar.add(folder + '/data/train.txt', 'data/train.txt')
with zipfile.ZipFile(folder + '/some.zip', 'w', zipfile.ZIP_DEFLATED) as packed:
    packed.write(folder + '/data/train.txt', 'data/train.txt')
rows = ('1\tThe\tthe\tDET\t_\t_\t2\tdet\t_\t_', '2\tcat\tcat\tNOUN\t_\t_\t0\troot\t_\t_')
open(folder + '/tree.conllu', 'w').write('# sent_id = 1\n' + '\n'.join(rows) + '\n\n')
open(folder + '/tags.conll', 'w').write('EU NNP I-NP B-ORG\nrejects VBZ I-VP O\n\n')
PYTHON
seed yaml "$here"/experiments/sweeps/*/*.yaml "$here"/plots/tables/bet/*.yaml
seed safetensors "$small/two.safetensors"
seed conllu "$small/tree.conllu" "$small/tags.conll"
seed archive "$small"/plain.tar "$small"/plain.targz "$small"/some.zip

failed=
for target in yaml safetensors conllu archive; do
  "$build/bin/fuzz_$target" -max_total_time="$seconds" -timeout=20 -rss_limit_mb=3000 -max_len=65536 -print_final_stats=1 \
    -artifact_prefix="$build/faults/$target-" "$build/corpus/$target" >"$build/$target.log" 2>&1 || failed="$failed $target"
  printf '%-12s %s\n' "$target" "$(sed -n 's/^stat::number_of_executed_units: */inputs /p' "$build/$target.log")"
done
[ -z "$failed" ] || { echo "fuzz: faults in$failed: see $build/faults and $build/TARGET.log" >&2; exit 1; }
