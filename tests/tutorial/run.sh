#!/bin/sh
# Follows docs/tutorial.md as a reader does: writes each file that the page shows and types each command, in their order.
#   run.sh BIN    the folder of the programs
# Exit code 77: the figure was left out, since gnuplot is missing.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
PATH=$(cd "$1" && pwd):$PATH
page=$here/../../docs/tutorial.md
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

fail() {
  echo "$*" >&2
  exit 1
}

# One shell script of the page. A block behind "Write `NAME`:" is a file, a block of sh is typed; the block behind "Add a line
# to the axis" goes to the end of the axis of first.yaml.
awk '
  /^Write `[^`]*`:$/ { split($0, words, "`"); file = words[2] }
  /^Add a line to the axis/ { added = 1 }
  /^```/ && inside { if (kind == "file") print "END_OF_FILE"; inside = 0; file = ""; next }
  /^```/ {
    inside = 1
    kind = $0 == "```sh" ? "typed" : "file"
    if (kind == "typed") next
    if (added) { print "cat > line.yaml << \"END_OF_FILE\""; added = 0; next_insert = 1; next }
    if (file == "") { print "echo \"a block of the page has no name\" >&2; exit 1"; exit }
    print "cat > " file " << \"END_OF_FILE\""
    next
  }
  inside { print }
  !inside && next_insert { print "sed -i \"/ free: /r line.yaml\" first.yaml"; next_insert = 0 }
' "$page" > typed.sh
cat "$here"/../../docs/*.md > corpus.txt

figure=yes
command -v gnuplot > /dev/null || figure=
[ -n "$figure" ] || sed -i '/^rethink figure/d' typed.sh
sh -eux typed.sh > said.txt 2>&1 || { cat said.txt; fail "the tutorial fails"; }

grep -q 'No diagonal' said.txt || fail "no table"
grep -q '^\\toprule' table.tex || fail "table.tex has no table"
grep -Eq '^double ' said.txt || { cat said.txt; fail "the new row is not in the last table"; }
done=$(rethink query "select count(*) from trial where state = 'done'" --format csv | tail -n 1)
[ "$done" -eq 12 ] || fail "$done trials are done, expected 12"
[ -z "$figure" ] || [ -s out/figures/first.pdf ] || fail "no figure"
if command -v pdflatex > /dev/null && [ -n "$figure" ]; then
  pdflatex -interaction=nonstopmode -halt-on-error paper.tex > latex.txt || { cat latex.txt; fail "paper.tex does not compile"; }
fi
[ -n "$figure" ] || exit 77
