#!/bin/sh
# Writes the program's outputs, so that they can be compared before and after a change of the layout: plans of every sweep and
# profile, the schema, every help text, and every table, figure and claim of the committed records, with `why` of a few cells a table.
#   RETHINK_DATA=DATA tests/freeze.sh FOLDER [BIN]    FOLDER: made here; BIN: the programs, build/release/bin
# Then `diff -r BEFORE AFTER` of two folders. Messages and exit codes are kept too: a profile whose data are missing
# says so in both. Four minutes of two cores; RETHINK_FREEZE_JOBS commands run at once (2).
set -eu

: "${RETHINK_DATA:?names the folder of data sets}"
export RETHINK_DATA
mkdir "$1"
folder=$(cd "$1" && pwd)
root=$(cd "$(dirname "$0")/.." && pwd)
bin=$(cd "${2:-$root/build/release/bin}" && pwd)
jobs=${RETHINK_FREEZE_JOBS:-2}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
export PATH="$bin:$PATH" COLUMNS=120 HOME="$work"

# Paths of this machine and dates of looks do not depend on the layout.
cat > "$work/keep" <<KEEP
#!/bin/sh
# keep FILE COMMAND...: writes the command's output and its exit code.
file=$folder/\$1
shift
mkdir -p "\$(dirname "\$file")"
code=0
"\$@" > "\$file.part" 2>&1 || code=\$?
{ sed -e "s|$root|ROOT|g; s|$work|WORK|g; s|$bin|BIN|g; s|$RETHINK_DATA|DATA|g" "\$file.part"; echo "exit \$code"; } > "\$file"
rm "\$file.part"
KEEP
chmod +x "$work/keep"

# One line per command: FILE, then its words, none of which has a blank.
all() { xargs -P "$jobs" -L 1 "$work/keep"; }

for command in $(rethink --help | sed -n 's/^  \([a-z]*\) .*/\1/p'); do
  echo "help/$command rethink $command --help"
done | all
"$work/keep" schema.json rethink schema

sweeps=$(cd "$root/experiments/sweeps" && find . -name '*.yaml' | sed 's|^\./||; s|\.yaml$||' | LC_ALL=C sort)
for sweep in $sweeps; do
  echo "plan/$sweep/none rethink plan $sweep --format json --store empty"
  for profile in $(sed -n '/^profiles:/,/^[a-oq-z]/s/^  \([a-z_]*\):.*/\1/p' "$root/experiments/sweeps/$sweep.yaml"); do
    echo "plan/$sweep/$profile rethink plan $sweep --profile $profile --format json --store empty"
  done
done | all

for record in a3 bet; do
  tar xJf "$root/docs/records/${record}_small.tar.xz"
  tables=$(cd "$root/plots/tables" && find $record -name '*.yaml' | sed 's|\.yaml$||' | LC_ALL=C sort)
  for table in $tables; do
    for format in text csv json; do
      echo "table/$table.$format rethink table $table --profile small --store ${record}_small --format $format"
    done
  done | all
  for figure in $(cd "$root/plots/figures" && find $record -name '*.yaml' | sed 's|\.yaml$||' | LC_ALL=C sort); do
    echo "figure/$figure rethink figure $figure --profile small --store ${record}_small --out figures"
  done | all
  "$work/keep" "claims/$record" rethink claims $record --profile small --store ${record}_small --format csv
  # Words with blanks do not go through xargs: `why` is asked one cell after the other.
  for table in $tables; do
    rethink table "$table" --profile small --store ${record}_small --format json 2> /dev/null |
      python3 -c '
import json, sys
try:
    table = json.load(sys.stdin)
except ValueError:
    sys.exit()
labels = lambda lines: [line.get("label", "") if isinstance(line, dict) else line for line in lines]
cells = [f"{row}\t{column}" for row in labels(table.get("rows", [])) for column in labels(table.get("columns", []))]
print("\n".join(cells[::max(1, len(cells) // 3)]))' > cells
    number=0
    while IFS="$(printf '\t')" read -r row column; do
      number=$((number + 1))
      "$work/keep" "why/$table.$number" rethink why "$table" "$row" "$column" --profile small --store ${record}_small
    done < cells
  done
done
mkdir -p "$folder/figures"
find figures -name '*.gp' -o -name '*.dat' | while read -r file; do
  mkdir -p "$folder/$(dirname "$file")"
  sed -e "s|$root|ROOT|g; s|$work|WORK|g" "$file" > "$folder/$file"
done
echo "$(find "$folder" -type f | wc -l) answers in $folder"
