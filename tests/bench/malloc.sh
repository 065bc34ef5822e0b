#!/bin/sh
# Effect of the allocator's settings in experiments/train/device/device.cpp: the same steps with and without them, in turns.
#   malloc.sh WORKER [ROUNDS [STEPS]]    WORKER: rethink-worker
# Without: a library loaded before libc's, whose mallopt does nothing. Prints a line per turn and the medians' ratio.
set -eu
worker=$1
rounds=${2:-3}
steps=${3:-12}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
echo 'int mallopt(int key, int value) { (void)key, (void)value; return 1; }' > "$folder/none.c"
cc -shared -fPIC -o "$folder/none.so" "$folder/none.c"

turn() { # with|without BENCHMARK OPTIONS...
  way=$1
  shift
  preload=
  [ "$way" = with ] || preload=$folder/none.so
  LD_PRELOAD=$preload "$worker" bench "$@" --steps "$steps" --warmup 3 |
    sed -E 's/.*"median_ms": ([0-9.]+).*"peak_mib": ([0-9]+).*/\1 \2/' | tee -a "$folder/$way" |
    sed -E "s/(.*) (.*)/$way: \1 ms, peak \2 MiB/"
}

middle() { sort -n "$1" | awk '{v[NR] = $1} END {print v[int((NR + 1) / 2)]}'; }

compare() { # BENCHMARK OPTIONS...
  echo "$*"
  rm -f "$folder/with" "$folder/without"
  round=0
  while [ "$round" -lt "$rounds" ]; do
    turn with "$@"
    turn without "$@"
    round=$((round + 1))
  done
  echo "$(middle "$folder/with") $(middle "$folder/without")" | awk '{printf "without them a step takes %.2f times as long\n", $2 / $1}'
}

compare encoder_step --layers 2 --d_model 128 --heads 2 --ffn 512 --tokens 64 --vocabulary 2048
compare encoder_step
compare lm_step
