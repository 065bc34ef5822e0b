# A3's shipped case study and measurement of speed, from made-up text to table and picture, and the settings of its
# released code, which no sweep of the slides has.
=== made_up.sh
mkdir -p data/glue/CoLA data/pretrain_text/gutenberg
for i in $(seq 40); do printf 's\t%d\ta\tthe creature %d saw the old house\n' $((i % 2)) "$i" >> data/glue/CoLA/train.tsv; done
head -n 20 data/glue/CoLA/train.tsv > data/glue/CoLA/dev.tsv
for i in $(seq 60); do
  printf 'The creature walked to the old house on day %d.\nIt saw a light there, and it waited for hours.\n' "$i"
done > data/pretrain_text/gutenberg/Frankenstein_84.txt
=== released.yaml
sweep: released
seeds: [0]
stages:
  weights: {use: a3/layers.yaml#weights, model: {d_model: 60}}   # five permutations want five heads of three
  tuned: {job: finetune, needs: {init: weights}, preset: a3_released, epochs: null, steps: 2, data: {dataset: glue/cola}}
===
$ sh made_up.sh

$ rethink run a3/ner a3/speed --profile smoke --data data --slots 2 --quiet
a3/ner: note: glue/CoLA/dev.tsv here differs from the published file; <any>

# With twelve layers the row of the slides' six layers has a number; the row of a six-layer encoder has none.
$ rethink table a3/ner --profile smoke --data data --format csv | grep '^a3/ner,smoke,triplet,"mean'
a3/ner,smoke,triplet,"mean of 1, 2, 3, 10, 11, 12",,<n>,,sd,1,1,0,,,,,,,,,too few seeds;partial data,<id>,,,
a3/ner,smoke,triplet,"mean of 1, 2, 5, 6 of 6",,,,sd,0,0,0,,,,,,,,,not planned,,,,

# A curve ends at the limit on a pass's memory.
$ rethink table a3/speed --profile smoke --format csv | grep 'layer: A3-L^3, sum'
a3/speed,smoke,"layer: A3-L^3, sum",16,both_ms,<n>,,sd,1,1,0,,,,,,,,,,<id>,,,
a3/speed,smoke,"layer: A3-L^3, sum",32,both_ms,<n>,,sd,1,1,0,,,,,,,,,,<id>,,,
a3/speed,smoke,"layer: A3-L^3, sum",64,both_ms,,,sd,0,1,0,,,,,,,,,memory limit,<id>,,,

$ rethink figure a3/ner a3/figure6a --profile smoke --data data | grep png
out/figures/a3/ner.png
out/figures/a3/figure6a.png

$ rethink run released.yaml --data data --quiet
released: note: glue/CoLA/dev.tsv here differs from the published file; <any>

$ rethink query "select state, steps, pad_to_max_length from sweep_trial join runs using (trial) where stage = 'tuned'" --format csv
state,steps,pad_to_max_length
done,2,1
