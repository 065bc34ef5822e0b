# A small choice of the kernels' cases under compute-sanitizer: sanitizer.sh memcheck | racecheck | initcheck
set -eu
tool=$1
command -v compute-sanitizer >/dev/null || { echo "compute-sanitizer is not here" >&2; exit 77; }
[ "$DEVICE" != cpu ] || { echo "no GPU for compute-sanitizer" >&2; exit 77; }
# Each allocation by itself, so that one over its end is seen.
export PYTORCH_NO_CUDA_MEMORY_CACHING=1
code=0
compute-sanitizer --tool "$tool" --error-exitcode 9 "$BUNDLE/kernels_check" --gpu \
  --only 'one token,fixed mask,all at once,learned bias,philox' >found 2>&1 || code=$?
if grep -qi 'device not supported' found; then
  echo "compute-sanitizer does not support this device" >&2
  exit 77
fi
grep -E 'ERROR SUMMARY|passed' found || true
[ $code = 0 ] || { grep -m 12 -E '=========|^failed' found >&2; exit 1; }
