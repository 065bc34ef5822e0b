# Optimisation steps in turns with PyTorch's, eager and compiled: step.sh encoder_step | lm_step | mt_step, a comma, a
# precision. BERT-base, BET's language model, and a Transformer-base for translation.
set -eu
what=${1%,*} precision=${1#*,}
"$PYTHON" -c 'import torch' 2>/dev/null || { echo "$PYTHON has no PyTorch to compare with" >&2; exit 77; }
rounds=5
case $what in
  encoder_step)
    "$PYTHON" -c 'import transformers' 2>/dev/null || { echo "$PYTHON has no transformers to compare with" >&2; exit 77; }
    script="encoder_step.py $WORKER"
    sizes="--layers 12 --d_model 768 --heads 12 --ffn 3072 --vocabulary 30522 --batch 64 --tokens 128"
    small="--layers 1 --d_model 32 --heads 2 --ffn 32 --vocabulary 100 --batch 4 --tokens 20"
    # Of Hugging Face's settings those of this precision.
    [ "$precision" = bfloat16 ] && choice="--only bfloat16" || choice="--without bfloat16"
    ;;
  lm_step)
    script="decoder_step.py $WORKER lm_step" choice=
    sizes="--layers 6 --d_model 300 --heads 1 --ffn 2048 --vocabulary 33278 --batch 64 --tokens 100"
    small="--layers 1 --d_model 32 --ffn 32 --vocabulary 100 --batch 4 --tokens 20"
    ;;
  mt_step)
    script="decoder_step.py $WORKER mt_step" choice=
    sizes="--encoder_layers 6 --layers 6 --d_model 512 --heads 4 --ffn 1024 --vocabulary 10000 --batch 256 --tokens 30"
    small="--encoder_layers 1 --layers 1 --d_model 32 --ffn 32 --vocabulary 100 --batch 4 --tokens 20"
    ;;
esac
if [ "$REHEARSE" = 1 ]; then sizes=$small rounds=1; fi
options="$sizes --device $DEVICE --precision $precision"
echo '```'
# shellcheck disable=SC2086  # lists of words
"$PYTHON" "$BUNDLE/proof/peers/"$script $options --rounds $rounds $choice 2>log || { cat log >&2; exit 1; }
# shellcheck disable=SC2086
"$WORKER" bench "$what" $options --steps 10 >bench.json 2>>log || { cat log >&2; exit 1; }
echo '```'
"$PYTHON" - <<'END'
import json

found = json.load(open("bench.json"))
words = {"operators": "operators a step", "waits": "waits for the device a step", "peak_gpu_mib": "MiB of the device at most"}
print("ours alone: " + ", ".join(f"{found[name]} {word}" for name, word in words.items() if name in found))
END
