# Tables come from the store alone: only a run needs the data that its trials read.
=== words.yaml
sweep: words
seeds: [0]
stages:
  lm:
    job: lm
    data: {dataset: text, path: words.txt, vocabulary: 20}
    model: {preset: bet_lm, layers: 1, d_model: 16, ffn: 32}
    batch: 8
    steps: 2
    evaluate: {splits: [dev, test], keep: best}
resources: {device: cpu, threads: 1}
===
=== plots/tables/words.yaml
table: words
sweep: words.yaml
stage: lm
metric: test/perplexity@best
rows: [{label: words}]
columns: [{label: ours}]
direction: min
seeds: 1
===
$ mkdir data && for i in $(seq 300); do echo "the cat sat on mat $((i % 7))"; done >data/words.txt
$ rethink run words.yaml --data data --quiet
$ rethink table words --data data >here.txt
$ mv data elsewhere && rethink table words >far.txt && diff here.txt far.txt
$ rethink table words --data data | diff here.txt -
$ rethink run words.yaml
words.yaml:6:33: error: data set 'text' needs words.txt, which is not beside the file that names it, and no folder of data sets is named: give --data DIR or set RETHINK_DATA
...
[exit 2]

