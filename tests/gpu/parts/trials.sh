# One tiny trial of every job that trains, or of every attention variant, on the device: in float32 beside the same
# trial on the CPU, and in bfloat16.      trials.sh jobs | variants
set -eu
sweep=$BUNDLE/proof/sweeps/$1.yaml
slots=$(nproc)
[ "$slots" -le 8 ] || slots=8
only=
[ "$SHORT" = 0 ] || only="--only lm"
run() { # STORE DEVICE [WORDS]; 1: some trials failed, which the comparison tells
  local store=$1 device=$2 code=0
  shift 2
  # shellcheck disable=SC2086  # words or none
  "$RETHINK" run "$sweep" --store "$store" --device "$device" --slots "$slots" -q $only "$@" 2>said || code=$?
  [ $code -le 1 ] || { cat said >&2; exit $code; }
}
if [ "$1" = variants ]; then
  # Each variant has an arm.
  missing=$("$RETHINK" describe attention | awk 'NR > 1 { print $1 }' | while read -r variant; do
    grep -q "kind: $variant[,}]" "$sweep" || echo "$variant"
  done)
  [ -z "$missing" ] || { echo "$1.yaml lacks: $missing" >&2; exit 1; }
fi
run float32 "$DEVICE"
run cpu cpu
run bfloat16 "$DEVICE" --profile bfloat16
"$PYTHON" "$BUNDLE/proof/compare_trials.py" cpu float32 bfloat16 "$DEVICE"
