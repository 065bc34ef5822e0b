#!/bin/sh
# smoke.sh fails where a table or figure was left out, and names it. A made-up `rethink` writes the files.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
for spec in claims/mine tables/mine/table1 tables/mine/table2 figures/mine/figure1; do
  mkdir -p "$folder/plots/$(dirname $spec)"
  : > "$folder/plots/$spec.yaml"
done
mkdir -p "$folder/tests/reproduce" "$folder/build/bin"
cp "$(dirname "$0")/smoke.sh" "$folder/tests/reproduce"
list=$folder/tests/reproduce/left_out.txt
cat > "$folder/build/bin/stand_in_data" <<'END'
#!/bin/sh
mkdir -p "$1"
END
# Writes all files but those of WITHOUT.
cat > "$folder/build/bin/rethink" <<'END'
#!/bin/sh
while [ $# -gt 1 ]; do [ "$1" = --out ] && out=$2; shift; done
for file in claims/mine.md tables/mine/table1.md tables/mine/table1.tex tables/mine/table1.csv \
  tables/mine/table2.md tables/mine/table2.tex tables/mine/table2.csv \
  figures/mine/figure1.pdf figures/mine/figure1.svg figures/mine/figure1.png; do
  case " $WITHOUT " in *" $file "*) continue ;; esac
  mkdir -p "$out/$(dirname $file)"
  echo made > "$out/$file"
done
[ -z "$SAYS" ] || echo "$SAYS" >&2
exit $CODE
END
chmod +x "$folder"/build/bin/*

failed=0
# smokes NAME EXPECTED_CODE EXPECTED_WORDS WITHOUT [SAYS [CODE]]: words "" are not looked for.
smokes() {
  code=0
  WITHOUT=$4 SAYS=${5:-} CODE=${6:-0} sh "$folder/tests/reproduce/smoke.sh" "$folder/build" > "$folder/said" 2>&1 || code=$?
  if [ $code -ne "$2" ] || ! grep -qF -- "$3" "$folder/said"; then
    echo "$1: ended with $code, expected $2 and the words '$3'; it said:" >&2
    cat "$folder/said" >&2
    failed=1
  fi
}
echo "# nothing" > "$list"
smokes "everything" 0 "all tables and figures are in" ""
smokes "claims without values" 0 "all tables and figures are in" "" "not complete: claims mine: 1 of 2 claims lack values" 1
smokes "a table is left out" 1 "tables/mine/table2 was left out" tables/mine/table2.md "left out: table mine/table2: no profile"
smokes "a figure is left out" 1 "figures/mine/figure1 was left out" figures/mine/figure1.svg
smokes "the claims are left out" 1 "claims/mine was left out" claims/mine.md
smokes "a value is missing" 1 "not complete: table mine/table1" "" "not complete: table mine/table1: 1 of 2 trials are not done" 1
smokes "a trial failed" 1 "failed" "" "failed    0123456789abcdef  train" 1
smokes "the program failed" 1 "not everything was made" "" "" 3
echo "tables/mine/table2: its text alone has 540 MB" >> "$list"
smokes "what may be left out" 0 "all tables and figures are in" tables/mine/table2.md
smokes "another one is left out" 1 "tables/mine/table1 was left out" "tables/mine/table1.md tables/mine/table2.md"
smokes "the list is behind" 1 "tables/mine/table2 was made" ""
exit $failed
