#!/bin/sh
# Dependency trees of the English in data sets, for attention that learns from syntax hints (data.hints), as CoNLL-U:
# trees/wikitext_2.conllu and trees/multi30k.en.conllu in the folder that RETHINK_DATA names, each where its text is there
# and they are not; or trees/NAME.conllu of other texts. The first run makes a Python environment in build/trees/venv
# (300 MB). Minutes on one core.
#   trees.sh [[--words] FILE...]     FILE: English text, a line is a paragraph; --words: its words are what spaces separate
set -eu

words=
if [ "${1:-}" = --words ]; then
  words=--words
  shift
fi
for file in "$@"; do # our own folder is another one
  shift
  case $file in /*) ;; *) file=$PWD/$file ;; esac
  if [ ! -f "$file" ]; then
    echo "trees: there is no file $file" >&2
    exit 2
  fi
  set -- "$@" "$file"
done
cd "$(dirname "$0")/.."
if [ -z "${RETHINK_DATA:-}" ]; then
  echo "trees: name the folder of data sets, RETHINK_DATA=DIR make trees: they go to DIR/trees" >&2
  exit 2
fi
folder=build/trees
if ! cmp -s cmake/trees.txt $folder/installed.txt; then
  mkdir -p $folder
  [ -x $folder/venv/bin/python ] || python3 -m venv $folder/venv
  $folder/venv/bin/python -m pip install --quiet --disable-pip-version-check -r cmake/trees.txt
  cp cmake/trees.txt $folder/installed.txt
fi
mkdir -p "$RETHINK_DATA/trees"
parse() { # NAME WORDS FILE...
  name=$1
  shift
  if [ -e "$RETHINK_DATA/trees/$name" ]; then
    [ -z "$own" ] || echo "trees: trees/$name is there; remove it to parse the text again" >&2
    return
  fi
  for file in "$@"; do
    case $file in --*) continue ;; esac
    [ -e "$file" ] || { echo "trees: no $file, so no trees/$name" >&2; return; }
  done
  echo "trees: parsing for trees/$name" >&2
  $folder/venv/bin/python cmake/parse_trees.py "$@" --out "$RETHINK_DATA/trees/$name"
}
own=${1:-}
if [ -n "$own" ]; then
  for file in "$@"; do
    name=$(basename "$file")
    parse "${name%.txt}.conllu" $words "$file"
  done
  exit 0
fi
wikitext=$RETHINK_DATA/wikitext-2 multi30k=$RETHINK_DATA/multi30k
parse wikitext_2.conllu --words "$wikitext/wiki.train.tokens" "$wikitext/wiki.valid.tokens" "$wikitext/wiki.test.tokens"
parse multi30k.en.conllu "$multi30k/train.en" "$multi30k/val.en"
# A trial with trees that differ in one byte is another trial.
checksums=$PWD/cmake/trees.sha256
ls "$RETHINK_DATA"/trees/*.conllu > /dev/null 2>&1 || exit 0
(cd "$RETHINK_DATA/trees" && sha256sum --check --quiet --ignore-missing "$checksums") ||
  echo "trees: these are not the trees of docs/records: trials that learned from those run again" >&2
