#!/bin/sh
# Prints the figures of docs/performance.md, under its headings; nothing here is a test.
#   run.sh BUILD [VENV]      VENV: a Python environment with torch, transformers and tokenizers (peers/*.py), for the
#                            comparisons with them; RETHINK_PEER_VENV names it too
# RETHINK_BENCH_VOCAB and RETHINK_BENCH_TEXT: a vocabulary and a text for the table of WordPieces (small ones otherwise).
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "$1" && pwd)
bin=$build/bin
venv=${2:-${RETHINK_PEER_VENV:-}}
export RETHINK_WORKER="$bin/rethink-worker" WORDPIECE_BENCH="$bin/wordpiece_bench"
grep -m 1 'model name' /proc/cpuinfo | sed 's/.*: //'
"$bin/rethink" version
[ -n "$venv" ] || echo "set RETHINK_PEER_VENV to a Python environment with torch, transformers and tokenizers to compare with them"

printf "\n== overhead of a trial (two slots): with LibTorch loaded, without ==\n"
"$here/noop_sweep.sh" "$bin/rethink"
RETHINK_PROGRAMS="$build/noop" "$here/noop_sweep.sh" "$bin/rethink"

printf "\n== trials of users' programs (two slots) ==\n"
"$here/command.sh" "$bin/rethink"

printf '\n== commands that read a store ==\n'
"$here/commands.sh" "$bin/rethink" "$build/noop"

printf '\n== sweeps of many trials (two slots, worker without LibTorch) ==\n'
RETHINK_PROGRAMS="$build/noop" "$here/scale.sh" "$bin/rethink"

printf '\n== training steps of decoders, and beam search ==\n'
if [ -n "$venv" ]; then
  "$here/peers/compare_decoders.sh" "$venv"
else
  for what in lm_step mt_step beam_search; do
    "$bin/rethink-worker" bench $what
  done
fi

printf "\n== a step of an encoder's pretraining ==\n"
for precision in float32 bfloat16; do
  if [ -n "$venv" ]; then
    # Only the peers' settings of this precision: names of settings in bfloat16 end in "bfloat16".
    [ "$precision" = bfloat16 ] && choice=--only || choice=--without
    "$here/peers/compare_encoder_step.sh" "$venv" --precision "$precision" "$choice" bfloat16
  else
    while read -r layers width tokens pieces; do
      echo "$layers layers of width $width, $tokens tokens, 8 pairs, $pieces pieces, $precision"
      "$bin/rethink-worker" bench encoder_step --layers "$layers" --d_model "$width" --heads $((width / 64)) \
        --ffn $((4 * width)) --tokens "$tokens" --vocabulary "$pieces" --precision "$precision"
    done <<'SIZES'
2 128 64 2048
4 256 128 8192
6 384 128 16384
SIZES
  fi
done

printf '\n== a step on a GPU, counted without one ==\n'
python3 "$here/gpu_roofline.py" "$build/fake_cuda/rethink-worker"

printf '\n== diagnostics of a training ==\n'
"$here/diagnostics.sh" "$bin/rethink"

printf "\n== the allocator's settings ==\n"
"$here/malloc.sh" "$bin/rethink-worker"

printf '\n== operators ==\n'
"$bin/kernels_bench"
for capability in avx2 default; do # what a processor with less would take
  echo "ATEN_CPU_CAPABILITY=$capability"
  ATEN_CPU_CAPABILITY=$capability "$bin/kernels_bench" --benchmark_filter=philox_dropout/in_cache
done

printf '\n== WordPieces ==\n'
vocabulary=${RETHINK_BENCH_VOCAB:-$here/../golden/wordpiece/vocab.txt}
text=${RETHINK_BENCH_TEXT:-$here/../../docs/fidelity.md}
if [ -n "$venv" ]; then
  "$here/peers/compare_wordpiece.sh" "$venv" "$vocabulary" "$text"
else
  "$bin/wordpiece_bench" "$vocabulary" "$text"
fi
