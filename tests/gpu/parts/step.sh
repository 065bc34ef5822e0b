# Optimisation steps in turns with PyTorch's, eager and compiled: step.sh encoder_step | lm_step | mt_step, a comma, a
# precision; with another comma and tokens: a language model of GPT-2's small size on lines that long.
# BERT-base, BET's language model, and a Transformer-base for translation.
set -eu
. "$BUNDLE/proof/parts/absent.sh"
IFS=, read -r what precision tokens <<<"$1"
rounds=5
case $what in
  encoder_step)
    script="encoder_step.py $WORKER" modules="torch transformers"
    # In bfloat16 as many pairs as a pass of the profiles `paper`: 8 batches of 32 (docs/gpu.md, "Precision and passes").
    [ "$precision" = bfloat16 ] && pairs=256 || pairs=64
    sizes="--layers 12 --d_model 768 --heads 12 --ffn 3072 --vocabulary 30522 --batch $pairs --tokens 128"
    small="--layers 1 --d_model 32 --heads 2 --ffn 32 --vocabulary 100 --batch 4 --tokens 20"
    # Only Hugging Face's settings of this precision.
    [ "$precision" = bfloat16 ] && choice="--only bfloat16" || choice="--without bfloat16"
    ;;
  lm_step)
    script="decoder_step.py $WORKER lm_step" modules=torch choice=
    sizes="--layers 6 --d_model 300 --heads 1 --ffn 2048 --vocabulary 33278 --batch 64 --tokens 100"
    [ -z "$tokens" ] || sizes="--layers 12 --d_model 768 --heads 12 --ffn 3072 --vocabulary 50257 --batch $((16384 / tokens)) --tokens $tokens"
    small="--layers 1 --d_model 32 --ffn 32 --vocabulary 100 --batch 4 --tokens 20"
    ;;
  mt_step)
    script="decoder_step.py $WORKER mt_step" modules=torch choice=
    sizes="--encoder_layers 6 --layers 6 --d_model 512 --heads 4 --ffn 1024 --vocabulary 10000 --batch 256 --tokens 30"
    small="--encoder_layers 1 --layers 1 --d_model 32 --ffn 32 --vocabulary 100 --batch 4 --tokens 20"
    ;;
esac
if [ "$REHEARSE" = 1 ]; then sizes=$small rounds=1 pairs=4; fi
options="$sizes --device $DEVICE --precision $precision"
# shellcheck disable=SC2086  # lists of words
"$WORKER" bench "$what" $options --steps 10 >bench.json
"$PYTHON" - <<'END'
import json

found = json.load(open("bench.json"))
words = {"median_ms": "ms a step", "operators": "operators a step", "waits": "waits for the device a step",
         "peak_gpu_mib": "MiB of the device at most"}
print("ours alone: " + ", ".join(f"{found[name]} {word}" for name, word in words.items() if name in found))
END
if [ "$what,$precision" = encoder_step,bfloat16 ]; then
  # The released pretraining (experiments/presets/pretrain/sparsebert.yaml); each arm of a profile `paper` needs one.
  PAIRS=$pairs "$PYTHON" - <<'END'
import json
import os
import re

text = open(os.environ["BUNDLE"] + "/share/rethink/experiments/presets/pretrain/sparsebert.yaml").read()
steps, batch, accumulate = (int(re.search(rf"^{name}: (\d+)$", text, re.M)[1]) for name in ("steps", "batch", "accumulate"))
pairs = steps * batch * accumulate
hours = pairs / int(os.environ["PAIRS"]) * json.load(open("bench.json"))["median_ms"] / 3.6e6
tiny = ", were its model as tiny as here" if os.environ["REHEARSE"] == "1" else ""
print(f"\none pretraining of a profile `paper`, {pairs / 1e6:.0f} million pairs: {hours:.1f} hours of this device{tiny}")
END
fi
for module in $modules safetensors; do has_module $module || absent "$PYTHON has no $module to compare with"; done
printf '\n```\n'
# shellcheck disable=SC2086
"$PYTHON" "$BUNDLE/proof/peers/"$script $options --rounds $rounds $choice 2>log || { grep -v '^W[0-9]' log >&2; exit 1; }
echo '```'
