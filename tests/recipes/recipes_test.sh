#!/bin/sh
# cmake/recipes.cmake writes CONTRIBUTING.md's files. A user may have saved one of them into the tree, as the page says.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
here=$(cd "$(dirname "$0")/../.." && pwd)
mkdir -p "$folder/tree"
cp "$here/CONTRIBUTING.md" "$folder/tree"
cat > "$folder/extract.cmake" <<END
cmake_minimum_required(VERSION 3.25)
set(PROJECT_SOURCE_DIR $folder/tree)
include($here/cmake/recipes.cmake)
extract_recipes(recipes $folder/recipes)
list(JOIN recipes "\n" recipes)
file(WRITE $folder/names "\${recipes}\n")
END
extract() { cmake -P "$folder/extract.cmake"; }
failed=0
fail() { echo "$1"; failed=1; }

extract > "$folder/said"
[ ! -s "$folder/said" ] || fail "a tree without a recipe's file: $(cat "$folder/said")"
names=$(cat "$folder/names")
for name in $names; do
  [ "$(wc -l < "$folder/recipes/$name")" -gt 2 ] || fail "$name is not in the recipes"
done

# Every file of the page is in the tree: each source is compiled from there alone, and the list of sources stays.
for name in $names; do
  mkdir -p "$folder/tree/$(dirname "$name")"
  cp "$folder/recipes/$name" "$folder/tree/$name"
done
extract > "$folder/said" || fail "recipes in the tree are refused"
[ "$(cat "$folder/names")" = "$names" ] || fail "got the files $(cat "$folder/names"), expected $names"
for name in $names; do
  case $name in
  *.cpp)
    grep -q "^-- $name is in the tree" "$folder/said" || fail "nothing is said of $name"
    [ "$(cat "$folder/recipes/$name")" = "// $name is in the tree." ] || fail "$name would be compiled twice"
    ;;
  *) cmp -s "$folder/tree/$name" "$folder/recipes/$name" || fail "$name is not in the recipes" ;;
  esac
done

# The files were removed from the tree again.
rm -r "$folder/tree/models"
extract > /dev/null
grep -q RETHINK_REGISTERED "$folder/recipes/models/attention/distance_bias.cpp" || fail "the recipe did not come back"
exit $failed
