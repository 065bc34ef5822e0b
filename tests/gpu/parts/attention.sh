# The attention kernel in turns with plain PyTorch, scaled_dot_product_attention and FlexAttention:
# attention.sh HEADSxWIDTH,TOKENS      12x64: BERT-base's heads, 1x300: BET's. 32,768 tokens a step.
set -eu
. "$BUNDLE/proof/parts/absent.sh"
heads=${1%%x*} tokens=${1#*,} width=${1#*x}
width=${width%,*}
for module in torch safetensors; do has_module $module || absent "$PYTHON has no $module to compare with"; done
batch=$((32768 / tokens)) rounds=5
if [ "$REHEARSE" = 1 ]; then tokens=$((tokens / 8)) batch=2 rounds=1; fi
failed=0
compare() { # WORDS of attention.py
  printf '\n```\n'
  # Plain PyTorch compiled is left out: it takes the time of all others to compile.
  "$PYTHON" "$BUNDLE/proof/peers/attention.py" "$WORKER" --device "$DEVICE" --batch $batch --tokens "$tokens" \
    --heads "$heads" --width "$width" --rounds $rounds --steps 5 --without compiled "$@" 2>log ||
    { failed=1; tail -n 3 log >&2; tail -n 3 log; }
  printf '```\n'
}
compare --precision bfloat16
compare --precision bfloat16 --causal
compare --precision bfloat16 --hidden 0.5
compare --precision bfloat16 --bias
if [ "$heads" = 1 ]; then
  compare --precision bfloat16 --causal --diagonal hidden --dropout 0.1
else
  compare --precision bfloat16 --padding
  compare --precision bfloat16 --dropout 0.1
  compare --precision float32 --dropout 0.1
fi
exit $failed
