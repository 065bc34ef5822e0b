#!/bin/sh
# `make trees` parses the data sets' texts, and any text that is named. A made-up parser writes what it was given.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
here=$(cd "$(dirname "$0")/../.." && pwd)
mkdir -p "$folder/checkout/cmake" "$folder/checkout/build/trees/venv/bin" "$folder/data/multi30k"
cp "$here/cmake/trees.sh" "$here/cmake/trees.txt" "$here/cmake/trees.sha256" "$folder/checkout/cmake"
cp "$here/cmake/trees.txt" "$folder/checkout/build/trees/installed.txt"
cat > "$folder/checkout/build/trees/venv/bin/python" <<'END'
#!/bin/sh
all="$*"
while [ $# -gt 1 ]; do [ "$1" = --out ] && out=$2; shift; done
echo "$all" > "$out"
END
chmod +x "$folder/checkout/build/trees/venv/bin/python"
touch "$folder/data/multi30k/train.en" "$folder/data/multi30k/val.en"
export RETHINK_DATA="$folder/data"

failed=0
# WANTED COMMAND...: the last line of a command's output, and the trees that exist after it
says() {
  wanted=$1
  shift
  said=$("$@" 2>&1 | tail -n 1) || true
  [ "$said" = "$wanted" ] || { echo "got '$said', expected '$wanted': $*"; failed=1; }
}
parsed() { # NAME WANTED
  got=$(cat "$folder/data/trees/$1" 2>/dev/null || echo nothing)
  [ "$got" = "cmake/parse_trees.py $2 --out $folder/data/trees/$1" ] || { echo "trees/$1: got '$got', expected $2"; failed=1; }
}

mkdir "$folder/mine"
cd "$folder/mine"
echo "My text." > mine.txt
echo "an other ." > other
trees="sh $folder/checkout/cmake/trees.sh"
says "trees: parsing for trees/mine.conllu" $trees mine.txt
parsed mine.conllu "$folder/mine/mine.txt"
says "trees: trees/mine.conllu is there; remove it to parse the text again" $trees mine.txt
says "trees: parsing for trees/other.conllu" $trees --words "$folder/mine/other"
parsed other.conllu "--words $folder/mine/other"
says "trees: there is no file $folder/mine/nothing.txt" $trees nothing.txt
[ ! -e "$folder/data/trees/multi30k.en.conllu" ] || { echo "texts of data sets were parsed too"; failed=1; }

# Without a name: each data set whose text exists.
$trees > /dev/null 2>&1 || { echo "got $?, expected 0"; failed=1; }
parsed multi30k.en.conllu "$folder/data/multi30k/train.en $folder/data/multi30k/val.en"
[ ! -e "$folder/data/trees/wikitext_2.conllu" ] || { echo "a text that is missing was parsed"; failed=1; }
exit $failed
