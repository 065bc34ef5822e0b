# A small choice of the kernels' cases under compute-sanitizer: sanitizer.sh memcheck | racecheck | initcheck
set -eu
. "$BUNDLE/proof/parts/absent.sh"
tool=$1
command -v compute-sanitizer >/dev/null || absent "compute-sanitizer is not here"
[ "$DEVICE" != cpu ] || absent "no GPU for compute-sanitizer"
# Each allocation is separate, so that an access beyond its end is detected.
export PYTORCH_NO_CUDA_MEMORY_CACHING=1
# Only our kernels are checked, except by initcheck, which must see all writers of their inputs.
kernels="--kernel-name kns=rethink"
[ "$tool" != initcheck ] || kernels=
code=0
# shellcheck disable=SC2086  # words or none
compute-sanitizer --tool "$tool" --target-processes all --launch-timeout 60 $kernels "$BUNDLE/kernels_check" --gpu \
  --only 'one token,fixed mask,all at once,learned bias,philox,residual_layer_norm' >found 2>&1 || code=$?
if grep -qi 'device not supported' found; then
  echo "compute-sanitizer does not support this device" >&2
  exit 77
fi
# Reports name the kernel in their second line. Reports on PyTorch's kernels are printed, but are not our faults.
reports=$(grep -cE '^========= +at .*rethink' found || true)
others=$(grep -E '^========= +at ' found | grep -cv rethink || true)
grep -E 'ERROR SUMMARY|passed' found || true
echo "$reports reports of our kernels, $others of others"
if [ "$reports" != 0 ] || ! grep -q ' 0 failed' found; then
  grep -m 12 -E '=========|^(failed|no CUDA)' found >&2
  exit 1
fi
