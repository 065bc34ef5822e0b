#!/bin/sh
# `make reproduce-smoke`: all three papers by one command, at a size whose numbers mean nothing, on made-up data where the
# folder that RETHINK_DATA names has none. Fails where a table or figure is left out or lacks a value, or a trial fails.
# left_out.txt lists the tables and figures that may be left out at this size.
#   smoke.sh BUILD
set -eu
bin=$1/bin
folder=$1/reproduce_smoke
here=$(cd "$(dirname "$0")" && pwd)
plots=$here/../../plots
rm -rf "$folder"
"$bin/stand_in_data" "$folder/data" ${RETHINK_DATA:+"$RETHINK_DATA"}
status=0
"$bin/rethink" reproduce all --profile smoke --data "$folder/data" --store "$folder/store" --out "$folder/out" 2> "$folder/log" || status=$?
grep -E '^(left out|not complete|failed|diverged)' "$folder/log" || true

# The shipped tables, figures and claims of which no file was written, "tables/bet/table1".
missing() {
  for claims in "$plots"/claims/*.yaml; do
    paper=$(basename "$claims" .yaml)
    [ -s "$folder/out/claims/$paper.md" ] || echo "claims/$paper"
    for spec in "$plots/tables/$paper"/*.yaml "$plots/figures/$paper"/*.yaml; do
      [ -e "$spec" ] || continue
      name=${spec#"$plots/"}
      name=${name%.yaml}
      case $name in tables/*) endings="md tex csv" ;; *) endings="pdf svg png" ;; esac
      for ending in $endings; do
        [ -s "$folder/out/$name.$ending" ] || { echo "$name"; break; }
      done
    done
  done
}
missing > "$folder/missing"
# Lines of left_out.txt are "NAME: reason", others are comments.
sed -n 's/^\([a-z][^: ]*\): ..*/\1/p' "$here/left_out.txt" > "$folder/allowed"
problems=$(
  grep -vxF -f "$folder/allowed" "$folder/missing" | sed 's/$/ was left out/'
  grep -vxF -f "$folder/missing" "$folder/allowed" | sed 's/$/ was made: take it out of left_out.txt/'
) || true
# Only claims about numbers that no trial has at this size may end it with 1.
if [ "$status" -gt 1 ] || [ -n "$problems" ] || grep -qE '^(not complete: (table|figure)|failed|diverged)' "$folder/log"; then
  tail -n 20 "$folder/log" >&2
  [ -z "$problems" ] || echo "$problems" | sed 's/^/reproduce-smoke: /' >&2
  echo "reproduce-smoke: not everything was made; all that it said: $folder/log" >&2
  exit 1
fi
echo "reproduce-smoke: all tables and figures are in $folder/out"
