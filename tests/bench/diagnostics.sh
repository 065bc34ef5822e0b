#!/bin/sh
# Measures the cost of a training's diagnostics (learning rate, norms, each layer's attention entropy and largest score): the
# same trial of job lm without them and with them as by default, in turns.
#   diagnostics.sh RETHINK [ROUNDS [STEPS [DATASET]]]    DATASET: kjv (Debian's bible-kjv) or synthetic_language
# Prints the processor time of each run, then medians with smallest and largest over the rounds. The points by default are
# too few to be seen above a machine's noise. So the cost of a point, which looks at one example whatever the batch, comes
# from steps of one example each, without points and with a point at every step.
set -eu
rethink=$(realpath "$1")
rounds=${2:-5}
steps=${3:-282}
dataset=${4:-kjv}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
case $dataset in
  kjv) data='dataset: kjv, protocol: lines, lowercase: true, max_tokens: 60, vocabulary: 4000, max_train_sequences: 4500' ;;
  *) data="dataset: $dataset" ;;
esac
# The model and the steps of the sweep demo/diag_discount.
cat >cost.yaml <<END
sweep: cost
seeds: [0]
stages:
  lm:
    job: lm
    data: {$data}
    model: {preset: bet_lm, layers: 2, d_model: 64, ffn: 256, attention: {kind: dense}}
    optimizer: {name: adam, lr: 0.002}
    batch: 32
    clip: 5.0
    steps: $steps
    log_every: 10
    evaluate: {splits: [dev], keep: last}
resources: {device: cpu, threads: 1}
END

# Processor seconds of a run and of all processes that it started.
seconds_of() { # diagnose_every OPTIONS...
  every=$1
  shift
  rm -rf store
  (
    "$rethink" run cost.yaml --set stages.lm.diagnose_every="$every" "$@" --slots 1 --quiet --store store >&2
    times
  ) | tail -n 1 | sed 's/[ms]/ /g' | awk '{print $1 * 60 + $2 + $3 * 60 + $4}'
}

points() { "$rethink" query --store store --format csv "SELECT count(DISTINCT step) FROM metric WHERE name = 'parameter_norm'" | tail -n 1; }

round=0
while [ "$round" -lt "$rounds" ]; do
  none=$(seconds_of 0)
  default=$(seconds_of null)
  default_points=$(points)
  single=$(seconds_of 0 --set stages.lm.batch=1 --set stages.lm.steps=$((2 * steps)))
  single_points=$(seconds_of 1 --set stages.lm.batch=1 --set stages.lm.steps=$((2 * steps)))
  echo "$none $default $single $single_points $default_points $(points)" | tee -a turns |
    awk '{printf "without %.2f s, by default %.2f s (%d points); one example a step: without %.2f s, with %d points %.2f s\n", $1, $2, $5, $3, $6, $4}'
  round=$((round + 1))
done

# NAME FORMAT EXPRESSION over the fields of `turns`.
middle() {
  awk "{print $3}" turns | sort -g | awk -v name="$1" -v format="$2" '
    {v[NR] = $1}
    END {printf "%s: " format " (" format " to " format ")\n", name, v[int((NR + 1) / 2)], v[1], v[NR]}'
}
echo "$(grep -m 1 'model name' /proc/cpuinfo | sed 's/.*: //'), $steps steps, $rounds rounds"
# shellcheck disable=SC2016  # fields of awk
{
  middle 'by default / without' '%.3f' '$2 / $1'
  middle 'a point [ms]' '%.2f' '1000 * ($4 - $3) / $6'
  middle 'a point / a step' '%.3f' "(\$4 - \$3) / \$6 / (\$1 / $steps)"
  middle 'share by default [%]' '%.2f' '100 * ($4 - $3) / $6 * $5 / $1'
}
