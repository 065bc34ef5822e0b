#!/bin/sh
# Follows docs/how_to/query.md and docs/how_to/finetune.md as a reader does: writes each file that a page shows, types each
# command, and runs the Python that finds its module.
#   run.sh BIN [PYTHON]    the folder of the programs; a Python (default: RETHINK_PYTHON, python3)
set -eu

here=$(cd "$(dirname "$0")" && pwd)
PATH=$(cd "$1" && pwd):$PATH
python=${2:-${RETHINK_PYTHON:-python3}}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
  echo "$*" >&2
  exit 1
}

# A shell script of the page: a block behind "Write `NAME`:" is a file, a block of sh is typed, a block of python is the
# file N.py.
script_of() {
  awk '
    /[Ww]rite `[^`]*`:$/ { line = $0; sub(/.*[Ww]rite `/, "", line); sub(/`:$/, "", line); file = line }
    /^```/ && inside { if (kind != "typed") print "END_OF_FILE"; inside = 0; file = ""; next }
    /^```/ {
      inside = 1
      kind = $0 == "```sh" ? "typed" : "file"
      if ($0 == "```python") file = ++scripts ".py"
      if (kind == "typed") next
      if (file == "") { print "echo \"a block of the page has no name\" >&2; exit 1"; exit }
      print "cat > " file " << \"END_OF_FILE\""
      next
    }
    inside { print }
  ' "$here/../../docs/how_to/$1"
}

# follow PAGE FOLDER: runs the page in the folder.
follow() {
  cd "$work/$2"
  script_of "$1" >typed.sh
  sh -eux typed.sh >said.txt 2>&1 || { cat said.txt; fail "$1 fails"; }
}

mkdir "$work/query" "$work/finetune"
follow query.md query
[ "$(rethink query "select count(*) from trial where state = 'done'" --format csv | tail -n 1)" -eq 12 ] || fail "query.md: expected 12 done trials"
grep -q '^half,' runs.csv || grep -q ',half,' runs.csv || fail "query.md: runs.csv has no column of the arm"
if "$python" -c 'import pandas' 2>/dev/null; then
  mkdir -p package/rethink/bundle one_file # as the wheel and the bundle have it
  cp "$here"/../../release/python/rethink/*.py package/rethink
  ln -s "$(command -v rethink)" package/rethink/bundle/rethink
  cp "$here/../../release/python/rethink/_trial.py" one_file/rethink.py
  for module in package one_file; do
    PYTHONPATH=$module "$python" 1.py >frame.txt || fail "query.md: the program fails with $module"
    grep -q half frame.txt || fail "query.md: read() of $module shows no arm"
  done
fi

cp -r "$here/../fixtures/tiny_bert" "$work/finetune/bert"
rm "$work/finetune/bert/expected.safetensors"
follow finetune.md finetune
[ -s states.safetensors ] && [ -s tagger/model.safetensors ] || fail "finetune.md: no exported model"
