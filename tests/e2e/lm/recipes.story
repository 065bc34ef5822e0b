# The files of CONTRIBUTING.md: its plug-ins are compiled into separate programs, and its YAML files are below --path.
$ cp "$RECIPES/bin/rethink" "$RECIPES/bin/rethink-worker" "$RECIPES/bin/schema.json" .

# The shipped programs do not have them.
$ rethink describe attention/distance_bias
<any>nothing is called 'attention/distance_bias'<any>
[exit 2]

$ ./rethink describe attention/distance_bias
attention distance_bias: scores fall with distance at a learned rate

options
  rate  lost per token of distance, at first
        number, at least 0; default 0.1

facts
  exceptions:
    cross: there is no distance between two sequences
  weights: projections

$ ./rethink run recipes/distance --path "$RECIPES" --quiet

$ ./rethink table recipes/distance --path "$RECIPES"
recipes/distance: Perplexity with a learned bias by distance

<any>synthetic ↓
<any>Δ
─<any>
Transformer    <any> ± <n>
distance bias  <any> ± <n>  <any>
─<any>
...

$ ./rethink figure recipes/distance --path "$RECIPES" | head -1
out/figures/recipes/distance.svg

$ ./rethink claims recipes --path "$RECIPES" | head -3
claims: what the papers say, and whether it holds here

distance_helps: undecided

$ ./rethink mask dilated --n 6
dilated, n = 6: sparsity 22.2 %, 28 of 36 cells
███▄▀▄
▀████▄
▀▄▀███

$ ./rethink data get penn_treebank
data set 'penn_treebank' is not downloaded; instead bring ptb.train.txt, ptb.valid.txt and ptb.test.txt into the folder ptb
[exit 2]

$ mkdir -p data/ptb; for split in train valid test; do seq 100 | sed 's/.*/the cat sees the dog/' > data/ptb/ptb.$split.txt; done
=== ptb.yaml
sweep: ptb
seeds: [0]
stages:
  lm:
    job: lm
    data: {dataset: penn_treebank}
    model: {preset: tiny_lm, layers: 1}
    steps: 2
  walk: {job: random_walk, steps: 10}
resources: {device: cpu, threads: 1}
===
$ ./rethink run ptb.yaml --path "$RECIPES" --data data --quiet

$ ./rethink count
state  trials
─────  ──────
done        6
