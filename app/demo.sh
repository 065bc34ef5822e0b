#!/bin/sh
# `make demo`: how much does a language model care about attention to the current token? A small version of the
# discount curve of Bird-Eye Transformers (Figure 3) on the King James Bible, killed half way on purpose.
#   demo.sh BIN [FOLDER [PROFILE]]
set -eu
bin=$1
folder=${2:-build/demo}
sweep=demo/diag_discount
profile=${3:+--profile=$3}
mkdir -p "$folder"
rethink() { "$bin/rethink" "$@" --store "$folder/store" --out "$folder/out"; }
finished() { rethink query "select count(*) from trial where state = 'done'" --format csv 2>/dev/null | tail -n 1; }

rethink plan $sweep $profile
trials=$(rethink plan $sweep $profile --format json | sed -n 's/.*"distinct": *\([0-9]*\).*/\1/p' | tail -n 1)
done_now=$(finished || echo 0)
# A run that an earlier call left more than half way continues unchanged.
if [ "${done_now:-0}" -lt $((trials / 2)) ]; then
  printf '\n== training; half way the driver will be killed with SIGKILL ==\n'
  "$bin/rethink" run $sweep $profile --store "$folder/store" --out "$folder/out" &
  driver=$!
  killed=
  # A signal must end the driver too; the shell runs no EXIT trap at a signal by itself.
  trap 'kill $driver 2>/dev/null && wait $driver 2>/dev/null || true' EXIT
  trap 'exit 130' INT
  trap 'exit 143' TERM HUP
  while kill -0 $driver 2>/dev/null; do
    done_now=$(finished || echo 0)
    if [ "${done_now:-0}" -ge $((trials / 2)) ]; then
      kill -KILL $driver && killed=yes
      break
    fi
    sleep 0.5
  done
  wait $driver 2>/dev/null || true
  [ -z "$killed" ] || printf '\n== killed after %s of %s trials; the same command continues ==\n' "$(finished)" "$trials"
fi
rethink run $sweep $profile
echo
rethink table $sweep $profile
echo
rethink figure $sweep $profile
printf '\nstore   %s\nopen it  %s/rethink query "select * from runs" --store %s/store\n' "$folder/store" "$bin" "$folder"
