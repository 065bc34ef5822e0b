# The attention kernel in turns with plain PyTorch, scaled_dot_product_attention and FlexAttention: attention.sh TOKENS
# BERT-base's heads (12 x 64) and BET's (1 x 300); 32,768 tokens a step.
set -eu
tokens=$1
"$PYTHON" -c 'import torch' 2>/dev/null || { echo "$PYTHON has no PyTorch to compare with" >&2; exit 77; }
batch=$((32768 / tokens)) rounds=5
if [ "$REHEARSE" = 1 ]; then tokens=$((tokens / 8)) batch=2 rounds=1; fi
failed=0
compare() { # WORDS of attention.py
  printf '\n```\n'
  # One way that is compiled is enough of those that are not the fastest.
  "$PYTHON" "$BUNDLE/proof/peers/attention.py" "$WORKER" --device "$DEVICE" --batch $batch --tokens "$tokens" \
    --rounds $rounds --steps 5 --without compiled "$@" 2>>log || { failed=1; tail -n 3 log | tee /dev/stderr; }
  printf '```\n'
}
compare --precision bfloat16
compare --precision bfloat16 --hidden 0.5
compare --precision bfloat16 --bias
compare --precision bfloat16 --dropout 0.1
compare --precision bfloat16 --heads 1 --width 300 --causal --diagonal hidden --dropout 0.1
[ "$REHEARSE" = 1 ] || compare --precision float32 --dropout 0.1
exit $failed
