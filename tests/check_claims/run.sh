#!/bin/sh
# Verdicts on BET's claims by `rethink claims` and, from the same record, by a program of its own (verdicts.py).
#   RETHINK_DATA=DATA tests/check_claims/run.sh BIN    BIN: the programs, build/release/bin
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
bin=$(cd "$1" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tar xJf "$root/docs/records/bet_small.tar.xz" -C "$work"
tar xJf "$root/docs/records/bet_verdict.tar.xz" -C "$work"
cd "$root"
"$bin/rethink" db merge "$work/bet_verdict" --store "$work/bet_small" > /dev/null 2>&1
# Exit code 1: other claims of the file wait for their trials.
"$bin/rethink" claims bet --profile verdict --store "$work/bet_small" --format json > "$work/claims.json" 2> /dev/null || [ $? = 1 ]
python3 "$root/tests/check_claims/verdicts.py" "$work/bet_small" "$work/claims.json"
