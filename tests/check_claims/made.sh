#!/bin/sh
# Verdicts on trials that learn nothing, whose claims hold, fail, are undecided, have gates, trends and second looks: by `rethink claims`
# and by a program of its own (made.py).
#   tests/check_claims/made.sh BIN    BIN: the programs, build/release/bin; ctest runs it
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
bin=$(cd "$1" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir -p plots/tables plots/claims
sweep() { # NAME SEEDS TAGS
  printf 'sweep: %s\nseeds: [%s]\nstages:\n  train: {job: noop, grid: {tag: [%s]}}\n' "$1" "$2" "$3" > "$1.yaml"
  printf 'table: %s\ntitle: T\nsweep: %s.yaml\nstage: train\nmetric: train/loss@tail\nrows: {axis: tag}\ncolumns: [{label: x, direction: max}]\n' \
    "$1" "$1" > "plots/tables/$1.yaml"
}
sweep arms "0, 1, 2, 3, 4, 5, 6, 7" "a, b, d, e, g, i, o, q, s"
sweep pilot "100, 101, 102" "a, b, q, s"
sweep numbers "0, 1, 2, 3, 4, 5, 6, 7" '"1", "2", "3", "4", "5"'
sweep rising "0, 1, 2, 3, 4, 5, 6, 7" '"2", "10", "11", "16"'
cat > plots/claims/made.yaml <<'END'
claims: made
looks: {5: 0.025, 8: 0.025}
gates:
  open: {table: pilot, row: q, than: s}
  shut: {table: pilot, row: a, than: b}
list:
  - {claim: holds, says: s, table: arms, test: better, row: d, than: q}
  - {claim: smaller, says: s, table: arms, test: better, row: d, than: q, smallest: 0.7}
  - {claim: open, says: s, table: arms, test: better, row: d, than: s, gate: open}
  - {claim: shut, says: s, table: arms, test: better, row: e, than: o, gate: shut}
  - {claim: second, says: s, table: arms, test: better, row: d, than: i}
  - {claim: fails, says: s, table: arms, test: better, row: g, than: i, smallest: 0.13}
  - {claim: undecided, says: s, table: arms, test: better, row: a, than: b}
  - {claim: early, says: s, table: arms, test: better, row: d, than: i, last_look: 5}
  - {claim: own, says: s, table: arms, test: better, row: d, than: q, seeds: [2, 3, 4, 5, 6]}
  - {claim: alike, says: s, table: arms, test: alike, row: g, than: i, margin: 0.25}
  - {claim: apart, says: s, table: arms, test: alike, row: d, than: q, margin: 0.1}
  - {claim: worse, says: s, table: arms, test: not_worse, row: q, than: d, margin: 0.1}
  - {claim: rises, says: s, table: numbers, test: rises}
  - {claim: falls, says: s, table: numbers, test: falls, last_look: 5}
  - {claim: follows, says: s, table: rising, test: rises}
  - {claim: against, says: s, table: rising, test: falls}
END
# The first call runs pilots and five seeds, the second one, after the looks at these, eight.
for call in 1 2; do
  # Exit code 1: claims wait for the trials of the second call.
  "$bin/rethink" claims made --run --quiet --format json > claims.json || [ "$call $?" = "1 1" ]
done
python3 "$root/tests/check_claims/made.py" store claims.json
