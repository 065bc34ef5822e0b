# Layers of a BERT in DistilBERT's form, as cmake/weights.sh makes them for A3's sweeps, are fine-tuned with triplet heads.
=== tune.yaml
sweep: tune
seeds: [0]
stages:
  tune:
    job: finetune
    needs: {init: {file: distil}}
    data: {dataset: synthetic_labelled/pair, examples: 200}
    max_length: 24
    batch: 8
    steps: 4
    cases:
      arm:
        dense:   {model.attention: {kind: dense}}
        triplet: {model.attention: {kind: dense, at: [{kind: triplet, layers: [1]}]}}
resources: {device: cpu, threads: 1}
===
$ rethink import "$(dirname "$(command -v rethink)")/../../../tests/fixtures/tiny_bert" --out bert
bert: 2 layers of width 32, 4 heads, 24 positions, 48 pieces (uncased); heads: mlm, nsp, pooler

$ rethink import bert --layers 2 --distilbert --out distil
distil: 1 layer of width 32, 4 heads, 24 positions, 48 pieces (uncased); heads: mlm

$ rethink run tune.yaml --slots 1 --quiet

$ rethink query "select state, score between 0 and 1 as scored from runs" --format csv
state,scored
done,1
done,1

# The second key has separate weights and biases, from 32 channels to the 24 of three heads.
$ rethink query "select max(value) - min(value) as more from measurement where name = 'parameters'" --format csv
more
792.0
