#!/bin/sh
# `make reproduce-smoke`: all three papers by one command, at a size whose numbers mean nothing, on made-up data where the
# folder that RETHINK_DATA names has none. Fails where a table or figure lacks a value, or a trial fails.
#   smoke.sh BUILD
set -eu
bin=$1/bin
folder=$1/reproduce_smoke
rm -rf "$folder"
"$bin/stand_in_data" "$folder/data" ${RETHINK_DATA:+"$RETHINK_DATA"}
status=0
"$bin/rethink" reproduce all --profile smoke --data "$folder/data" --store "$folder/store" --out "$folder/out" 2> "$folder/log" || status=$?
grep -E '^(left out|not complete|failed|diverged)' "$folder/log" || true
# Claims of numbers that no trial has at this size end it with 1; nothing else may.
if [ "$status" -gt 1 ] || grep -qE '^(not complete: (table|figure)|failed|diverged)' "$folder/log"; then
  tail -n 20 "$folder/log" >&2
  echo "reproduce-smoke: not everything was made; all that it said: $folder/log" >&2
  exit 1
fi
echo "reproduce-smoke: all tables and figures are in $folder/out"
