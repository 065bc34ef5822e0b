#!/bin/sh
# Prints the figures of docs/performance.md; nothing here is a test.
#   run.sh BUILD [VENV]      VENV: a Python environment with torch and transformers, for the comparisons with them
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "$1" && pwd)
bin=$build/bin
venv=${2:-${RETHINK_PEER_VENV:-}}
grep -m 1 'model name' /proc/cpuinfo | sed 's/.*: //'
"$bin/rethink" version
printf '\n== a noop trial, fork to durable done (two slots) ==\n'
RETHINK_PROGRAMS="$build/noop" "$here/noop_sweep.sh" "$bin/rethink"
printf '\n== the same with the worker that has LibTorch loaded ==\n'
"$here/noop_sweep.sh" "$bin/rethink"
printf '\n== plan, status, table ==\n'
"$here/commands.sh" "$bin/rethink" "$build/noop"
printf '\n== operators ==\n'
"$bin/kernels_bench"
printf '\n== one training step ==\n'
if [ -n "$venv" ]; then
  RETHINK_WORKER="$bin/rethink-worker" "$here/peers/compare_lm_step.sh" "$venv"
  RETHINK_WORKER="$bin/rethink-worker" "$here/peers/compare_encoder_step.sh" "$venv"
else
  "$bin/rethink-worker" bench lm_step
  "$bin/rethink-worker" bench encoder_step
  echo "set RETHINK_PEER_VENV to a Python environment with torch and transformers to compare with theirs (peers/*_step.py)"
fi
