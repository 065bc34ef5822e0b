# Every sweep in every profile, every table, figure and claim of this repository can be read and planned. The data
# sets are stand-ins: a plan only hashes them.
=== check.sh
cd "$1"
failed=0
for file in $(cd experiments/sweeps && find . -name '*.yaml' | sort); do
  name=$(echo "$file" | sed 's,^\./,,; s,\.yaml$,,')
  for profile in '' $(sed -n '/^profiles:/,/^[a-z]/s/^  \([a-z_]*\):.*/\1/p' "experiments/sweeps/$name.yaml"); do
    rethink plan "$name" ${profile:+--profile "$profile"} --check --data "$2" || echo "sweep $name, profile $profile"
  done
done
for kind in table figure; do
  for file in $(cd plots/${kind}s && find . -name '*.yaml' | sort); do
    name=$(echo "$file" | sed 's,^\./,,; s,\.yaml$,,')
    status=0
    rethink $kind "$name" --data "$2" --store "$2/none" --out "$2/out" > /dev/null 2> "$2/errors" || status=$?
    [ "$status" -le 1 ] || { echo "$kind $name"; cat "$2/errors"; }
  done
done
status=0
rethink claims --data "$2" --store "$2/none" --out "$2/out" > /dev/null 2> "$2/errors" || status=$?
[ "$status" -le 1 ] || cat "$2/errors"
===
$ for file in $(grep -oE '"[A-Za-z0-9_.+-]+/[A-Za-z0-9_.+/-]+\.(txt|tsv|csv|json|tokens)"' "$(dirname "$(command -v rethink)")/schema.json" | tr -d '"'); do mkdir -p "data/$(dirname "$file")"; echo "$file" > "data/$file"; done

$ sh check.sh "$(dirname "$(command -v rethink)")/../../.." "$PWD/data"
