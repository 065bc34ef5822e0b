#!/bin/bash
# Cost of a trial and of a command by the size of a sweep: 1,000, 10,000 and 100,000 planned `noop` trials. A run is
# interrupted after some trials, since only the cost per trial is measured.
# usage: scale.sh RETHINK [PLANNED...]    RETHINK_PROGRAMS chooses the worker
set -euo pipefail
rethink=$(realpath "$1")
shift
[ $# -gt 0 ] || set -- 1000 10000 100000
first=100 # trials that are not measured: the driver's start and the first look at every trial
more=400
command -v /usr/bin/time > /dev/null || { echo "scale.sh needs GNU time (Debian's package time)"; exit 2; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
fewer=0 less=0 # planned trials and the driver's memory of the sweep before: what one more costs

seconds_and_memory() { # COMMAND...: "SECONDS MIB" of five runs: the median's seconds, the largest memory
  run=0
  while [ "$run" -lt 5 ]; do
    /usr/bin/time -f '%e %M' -o cost "$@" > out 2> err || { cat err; exit 1; }
    cat cost
    run=$((run + 1))
  done | sort -n | awk '{s[NR] = $1; if ($2 > kib) kib = $2} END {printf "%.2f s, %.0f MiB", s[3], kib / 1024}'
}

done_trials() {
  "$rethink" query "SELECT count(*) FROM trial_record WHERE told = 'done'" --store "$1" --format csv 2> /dev/null | tail -n 1
}

# Microseconds of processor time of the driver, its zygote, and their ended children.
processor() {
  cat "/proc/$1/stat" $(sed 's|[0-9][0-9]*|/proc/&/stat|g' "/proc/$1/task/$1/children" 2> /dev/null) 2> /dev/null |
    sed 's/.*) //' | awk -v tick="$(getconf CLK_TCK)" '{t += $12 + $13 + $14 + $15} END {printf "%.0f", t * 1e6 / tick}'
}

memory() { awk -v field="$2:" '$1 == field {print $2}' "/proc/$1/status"; } # KiB

wait_for() { # STORE TRIALS DRIVER
  while [ "$(done_trials "$1" || echo 0)" -lt "$2" ] 2> /dev/null; do
    kill -0 "$3" 2> /dev/null || { cat run.err; exit 1; }
    sleep 0.1
  done
}

for planned; do
  printf 'sweep: scale\nseeds: [0]\nstages:\n  a: {job: noop, steps: 1}\n' > scale.yaml
  given=(scale.yaml --seeds "0..$((planned - 1))" --store "store-$planned")
  echo "$planned planned trials"
  echo "  plan, none done            $(seconds_and_memory "$rethink" plan "${given[@]}")"
  "$rethink" run "${given[@]}" --slots 2 --quiet > run.out 2> run.err &
  driver=$!
  until [ -e "store-$planned/rethink.db" ]; do sleep 0.05; kill -0 $driver; done
  wait_for "store-$planned" "$first" $driver
  a=($(done_trials "store-$planned") $(date +%s%6N) $(processor $driver) $(memory $driver VmRSS))
  wait_for "store-$planned" $((first + more)) $driver
  b=($(done_trials "store-$planned") $(date +%s%6N) $(processor $driver) $(memory $driver VmRSS))
  peak=$(memory $driver VmHWM)
  kill -INT $driver
  wait $driver || true
  echo "${a[*]} ${b[*]}" | awk -v planned="$planned" -v peak="$peak" -v fewer="$fewer" -v less="$less" '{
    n = $5 - $1
    printf "  a noop trial               %.2f ms, %.2f of the processor (%d trials)\n", ($6 - $2) / n / 1e3, ($7 - $3) / n / 1e3, n
    printf "  driver                     %.0f MiB at most, %.2f KiB a planned trial more, %.2f a finished one\n",
      peak / 1024, (peak - less) / (planned - fewer), ($8 - $4) / n}'
  fewer=$planned less=$peak
  echo "  status                     $(seconds_and_memory "$rethink" status --store "store-$planned")"
  echo "  plan, $(done_trials "store-$planned") done             $(seconds_and_memory "$rethink" plan "${given[@]}")"
done
store=store-$1
finished=$("$rethink" query "SELECT id FROM trial WHERE state = 'done' LIMIT 1" --store "$store" --format csv | tail -n 1)
echo "a finished noop trial: $(find "$store/trials/$finished" | wc -l) inodes, $(du -s --block-size=1 "$store/trials/$finished" | cut -f 1) bytes:"
(cd "$store/trials/$finished" && find . -printf '  %y %6s %P\n' | sort -k 3)
