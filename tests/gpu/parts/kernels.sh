# Every case of every kernel, against float64.
set -eu
gpu=--gpu
[ "$DEVICE" != cpu ] || gpu=
# shellcheck disable=SC2086  # a word or none
"$BUNDLE/kernels_check" $gpu >found || { grep -E '^(failed|no CUDA)' found | head -n 15 >&2; tail -n 1 found; exit 1; }
tail -n 1 found
