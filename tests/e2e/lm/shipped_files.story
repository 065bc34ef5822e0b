# Every sweep in every profile, every table, figure and claim of this repository can be read and planned. The data
# sets are stand-ins: a plan only hashes them.
=== check.sh
cd "$1"
failed=0
# Nothing is wrong with a stage but that it waits for what its sweep has yet to say.
is_waiting() { grep -q 'may not run yet' "$1/errors" && ! grep 'error: ' "$1/errors" | grep -qv 'may not run yet'; }
for file in $(cd experiments/sweeps && find . -name '*.yaml' | sort); do
  name=$(echo "$file" | sed 's,^\./,,; s,\.yaml$,,')
  for profile in '' $(sed -n '/^profiles:/,/^[a-z]/s/^  \([a-z_]*\):.*/\1/p' "experiments/sweeps/$name.yaml"); do
    rethink plan "$name" ${profile:+--profile "$profile"} --check --data "$2" 2> "$2/errors" || is_waiting "$2" || { echo "sweep $name, profile $profile"; cat "$2/errors"; }
  done
done
# Under a profile that the sweep has not, there is no table.
is_unknown() { grep -q "no profile '$1'" "$2/errors"; }
for profile in '' smoke small verdict paper gpu; do
  for kind in table figure; do
    for file in $(cd plots/${kind}s && find . -name '*.yaml' | sort); do
      name=$(echo "$file" | sed 's,^\./,,; s,\.yaml$,,')
      status=0
      rethink $kind "$name" ${profile:+--profile "$profile"} --data "$2" --store "$2/none" --out "$2/out" > /dev/null 2> "$2/errors" || status=$?
      [ "$status" -le 1 ] || is_unknown "$profile" "$2" || { echo "$kind $name, profile $profile"; cat "$2/errors"; }
    done
  done
  for claims in a3 bet sparsebert; do
    status=0
    rethink claims $claims ${profile:+--profile "$profile"} --data "$2" --store "$2/none" --out "$2/out" > /dev/null 2> "$2/errors" || status=$?
    [ "$status" -le 1 ] || is_unknown "$profile" "$2" || { echo "claims $claims, profile $profile"; cat "$2/errors"; }
  done
done
===
$ for file in $(grep -oE '"[A-Za-z0-9_.+-]+/[A-Za-z0-9_.+/-]+\.(txt|tsv|csv|json|tokens|de|en|conllu)"|"enwik8/enwik8"' "$(dirname "$(command -v rethink)")/schema.json" | tr -d '"'); do mkdir -p "data/$(dirname "$file")"; echo "$file" > "data/$file"; done

# `make trees` makes these files.
$ mkdir data/trees; for trees in wikitext_2 multi30k.en; do echo "# trees" > data/trees/$trees.conllu; done

# A plan reads the kind of model from pretrained weights.
$ for weights in bert_base:12 distilbert_base:6 minilm_l6:6 minilm_l3:3; do rethink import "$(dirname "$(command -v rethink)")/../../../tests/fixtures/tiny_bert" --out "data/weights/${weights%:*}" > imported && sed -i 's/"layers": 2/"layers": '"${weights#*:}"'/; s/"max_positions": 24/"max_positions": 512/; s/"d_model": 32/"d_model": 60/; s/"heads": 4/"heads": 12/' "data/weights/${weights%:*}/config.json"; done

$ sh check.sh "$(dirname "$(command -v rethink)")/../../.." "$PWD/data"
