# Options that do not fit each other, the data set or the evaluation: before anything runs.
=== model.yaml
sweep: model
stages:
  lm:
    job: lm
    data: {dataset: synthetic_language, vocabulary: 20}
    model: {preset: bet_lm, layers: 2, d_model: 16, attention: {at: [{layers: [1, 3], kind: diag_free}, {layers: [2], heads: 3, kind: dense}]}}
    evaluate: {splits: [test]}
===
$ rethink plan --check model.yaml
model.yaml:6:80: error: got attention.at.heads: 3, d_model: 16<any>
<any>
<any>
...
[exit 2]

=== splits.yaml
sweep: splits
stages:
  lm:
    job: lm
    data: {dataset: synthetic_language}
    steps: 3
    evaluate: {splits: [dev, valid], metric: bits_per_character}
===
$ rethink plan --check splits.yaml
splits.yaml:7:30: error: 'evaluate.splits': got 'valid', expected one of train, dev, test; these are the splits of the data set
<any>
<any>
splits.yaml:7:46: error: got evaluate.metric: bits_per_character, data.unit: nothing; this metric is of characters: choose another one, or a unit of char or byte
<any>
<any>
[exit 2]
