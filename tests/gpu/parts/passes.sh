# Batches of a step that one pass joins: as many as there are, since these are tiny; losses near the CPU's, which joins none.
# Without dropout: other passes drop other units.
set -eu
run() { # STORE DEVICE [WORDS]
  local store=$1 device=$2
  shift 2
  "$RETHINK" run "$BUNDLE/proof/sweeps/jobs.yaml" --only pretrain --set stages.pretrain.accumulate=4 \
    --set stages.pretrain.model.dropout=0 --store "$store" --device "$device" -q "$@"
}
run float32 "$DEVICE"
run cpu cpu
run bfloat16 "$DEVICE" --profile bfloat16
"$PYTHON" "$BUNDLE/proof/compare_trials.py" cpu float32 bfloat16 "$DEVICE"
for store in float32 bfloat16; do
  joined=$("$RETHINK" query --store $store --format csv "
    select distinct value from environment where name = 'batches_of_pass'" | tail -n +2)
  printf '\n%s: %s batches a pass\n' $store "${joined:-1}"
  [ "$DEVICE" = cpu ] || [ "$joined" = 4 ] || { echo "$store: '$joined' batches a pass, expected 4" >&2; exit 1; }
done
