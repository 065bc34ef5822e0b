# Batches of a step that one pass joins: as many as there are, since these are tiny; losses near the CPU's, which joins none.
# Without dropout: other passes drop other units.
set -eu
run() { # STORE DEVICE [WORDS]
  local store=$1 device=$2
  shift 2
  settings=
  for stage in pretrain label lm mt; do
    settings="$settings --set stages.$stage.accumulate=4 --set stages.$stage.model.dropout=0"
  done
  for stage in label lm mt; do # with label what it needs: pretrain
    # shellcheck disable=SC2086  # words
    "$RETHINK" run "$BUNDLE/proof/sweeps/jobs.yaml" --only $stage $settings --store "$store" --device "$device" -q "$@"
  done
}
run float32 "$DEVICE"
run cpu cpu
run bfloat16 "$DEVICE" --profile bfloat16
"$PYTHON" "$BUNDLE/proof/compare_trials.py" cpu float32 bfloat16 "$DEVICE"
for store in float32 bfloat16; do
  joined=$("$RETHINK" query --store $store --format csv "
    select count(*) || ' trials with ' || value from environment where name = 'batches_of_pass' group by value" | tail -n +2)
  printf '\n%s: %s batches a pass\n' $store "${joined:-all trials with 1}"
  [ "$DEVICE" = cpu ] || [ "$joined" = "4 trials with 4" ] || {
    echo "$store: '$joined' batches a pass, expected '4 trials with 4'" >&2
    exit 1
  }
done
