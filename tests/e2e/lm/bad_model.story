# Options that conflict with each other, the data set or the evaluation are refused before anything runs.
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
model.yaml:4:5: error: give one of steps, epochs; one of them says when training ends
      job: lm
      ^
model.yaml:5:53: error: got classes: 8, vocabulary: 20; a class takes 4 words, and 2 more must be left: raise vocabulary, or lower classes
      data: {dataset: synthetic_language, vocabulary: 20}
                                                      ^
model.yaml:6:83: error: got attention.at.layers: 3, layers: 2; layers count from 1, and `layers` says how many the model has
  ... layers: 2, d_model: 16, attention: {at: [{layers: [1, 3], kind: diag_free}, {layers: [2], heads: 3, kind: den...
                                                            ^
model.yaml:6:126: error: got attention.at.heads: 3, d_model: 16; heads must divide d_model: each head gets d_model / heads channels
  ...s: 2, d_model: 16, attention: {at: [{layers: [1, 3], kind: diag_free}, {layers: [2], heads: 3, kind: dense}]}}
                                                                                                 ^
model.yaml:7:25: error: got keep: best, splits: test; the best is chosen on dev: add dev to splits, or write keep: last
      evaluate: {splits: [test]}
                          ^
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

# Models with learned positions cannot read such lengths.
=== positions.yaml
sweep: positions
stages:
  lm:
    job: lm
    data: {dataset: synthetic_language, length: 40}
    model: {positions: learned, max_positions: 10}
    steps: 3
  none:
    job: lm
    data: {dataset: synthetic_language, length: 40}
    model: {positions: sinusoidal, max_positions: 10}
    steps: 3
  all:
    job: lm
    data: {dataset: synthetic_language, length: 40}
    model: {positions: learned, max_positions: 41}
    steps: 3
===
$ rethink plan --check positions.yaml
positions.yaml:5:49: error: got data.length: 40, model.max_positions: 10; the longest sentence and its start symbol need a learned position each: raise max_positions, or lower length
      data: {dataset: synthetic_language, length: 40}
                                                  ^
[exit 2]

# Of a line that is cut a model reads all tokens except the last one.
=== own.txt
In the beginning was a line, and the line was long.
=== cut.yaml
sweep: cut
stages:
  both_symbols:
    job: lm
    data: {dataset: text, path: own.txt, max_tokens: 100}
    model: {positions: learned, max_positions: 100}
    steps: 3
  enough:
    job: lm
    data: {dataset: text, path: own.txt, max_tokens: 100}
    model: {positions: learned, max_positions: 101}
    steps: 3
  one_symbol:
    job: lm
    data: {dataset: text, path: own.txt, protocol: sentences, max_tokens: 100, end_symbol: false}
    model: {positions: learned, max_positions: 99}
    steps: 3
  one_symbol_enough:
    job: lm
    data: {dataset: text, path: own.txt, protocol: sentences, max_tokens: 100, start_symbol: false}
    model: {positions: learned, max_positions: 100}
    steps: 3
  never_cut:
    job: lm
    data: {dataset: text, path: own.txt}
    model: {positions: learned, max_positions: 1}
    steps: 3
  no_lines:
    job: lm
    data: {dataset: text, path: own.txt, protocol: stream, stream_length: 10, max_tokens: 100}
    model: {positions: learned, max_positions: 10}
    steps: 3
===
$ rethink plan --check cut.yaml --data .
cut.yaml:5:54: error: got data.max_tokens: 100, model.max_positions: 100; every token of a sequence but its last, start and end symbols counted, needs a learned position: raise max_positions, or lower max_tokens
      data: {dataset: text, path: own.txt, max_tokens: 100}
                                                       ^
cut.yaml:15:75: error: got data.max_tokens: 100, model.max_positions: 99; every token of a sequence but its last, start and end symbols counted, needs a learned position: raise max_positions, or lower max_tokens
      data: {dataset: text, path: own.txt, protocol: sentences, max_tokens: 100, end_symbol: false}
                                                                            ^
[exit 2]

# These mistakes would otherwise be found only while text is read, or at the first evaluation.
=== read.yaml
sweep: read
seeds: [0]
stages:
  cut_sentences:
    job: lm
    data: {dataset: text, path: own.txt, protocol: stream, hints: [own.conllu]}
    steps: 3
  half_a_test:
    job: mt
    data: {dataset: parallel, train_source: own.txt, train_target: own.txt, dev_source: own.txt, dev_target: own.txt, test_source: own.txt}
    steps: 3
  other_half:
    job: mt
    data: {dataset: parallel, train_source: own.txt, train_target: own.txt, dev_source: own.txt, dev_target: own.txt, test_target: own.txt}
    evaluate.splits: [dev]
    steps: 3
  wide_of_pieces:
    job: mt
    data: {dataset: parallel, train_source: own.txt, train_target: own.txt, dev_source: own.txt, dev_target: own.txt, vocabulary: 60}
    evaluate.splits: [dev]
    search: {beams: 40}
    steps: 3
===
=== own.conllu
1	a	_	_	_	_	0	_	_	_
===
$ rethink plan --check read.yaml --data .
read.yaml:6:52: error: got hints: own.conllu, protocol: stream; a stream's segments cut sentences: give lines or sentences, or no hints
      data: {dataset: text, path: own.txt, protocol: stream, hints: [own.conllu]}
                                                     ^
read.yaml:10:132: error: got test_target: '', test_source: own.txt; give both test_source and test_target, or neither
  ... train_source: own.txt, train_target: own.txt, dev_source: own.txt, dev_target: own.txt, test_source: own.txt}
                                                                                                           ^
read.yaml:14:132: error: got test_source: '', test_target: own.txt; give both test_source and test_target, or neither
  ... train_source: own.txt, train_target: own.txt, dev_source: own.txt, dev_target: own.txt, test_target: own.txt}
                                                                                                           ^
read.yaml:21:21: error: got search.beams: 40, data.vocabulary: 60; beam search takes twice as many tokens as beams: lower search.beams, or raise data.vocabulary
      search: {beams: 40}
                      ^
[exit 2]

# Attention learns from syntax hints, but no file has hints.
=== hints.yaml
sweep: hints
stages:
  translate:
    job: mt
    data: {dataset: synthetic_translations}
    model: {encoder_attention: {kind: dense, at: [{layers: [1], kind: syntax_guided}]}}
    steps: 3
  pretrain:
    job: pretrain
    data: {dataset: synthetic_documents}
    model: {preset: bert_tiny, attention: {kind: syntax_guided}}
    steps: 3
===
$ rethink plan --check hints.yaml
hints.yaml:6:<any>: error: got encoder_attention.at.kind: syntax_guided; an encoder is not given what this attention learns from: only decoders, of the jobs lm and mt, are given syntax hints; choose dense
<any>
<any>
hints.yaml:11:<any>: error: got attention.kind: syntax_guided; an encoder is not given what this attention learns from: only decoders, of the jobs lm and mt, are given syntax hints; choose dense
<any>
<any>
[exit 2]

# The options give a layer's heads, and how many of them are triplet heads; permutations have names.
=== heads.yaml
sweep: heads
stages:
  pretrain:
    job: pretrain
    data: {dataset: synthetic_documents}
    model: {preset: bert_tiny, d_model: 36, heads: 12, attention: {kind: dense, at: [{layers: [1], heads: 3, kind: triplet}]}}
    steps: 3
===
$ rethink plan --check heads.yaml
heads.yaml:6:86: error: got attention.at.heads: 3, attention.at.triplet_heads: 3; heads are all heads of an entry's layers, and where some are triplet heads every layer has the model's: leave heads out, and give how many are triplet heads as triplet_heads
  ...et: bert_tiny, d_model: 36, heads: 12, attention: {kind: dense, at: [{layers: [1], heads: 3, kind: triplet}]}}
                                                                          ^
[exit 2]

$ rethink plan --check heads.yaml --set stages.pretrain.model.attention='{kind: dense, at: [{layers: [1], kind: triplet, permutations: [2]}]}'
--set <any>: error: 'model.attention.at[0].permutations[0]': got '2', expected one of next, next_two, random, reverse, swap
[exit 2]

$ rethink plan --check heads.yaml --set stages.pretrain.model.attention='{kind: dense, at: [{layers: [1, 1], kind: triplet}]}'
--set <any>: error: 'model.attention.at[0].layers': got a list, expected each element once, but 1 is given twice
[exit 2]

$ rethink plan --check heads.yaml --set stages.pretrain.model.attention='{kind: triplet, triplet_heads: 2, permutations: [next, next_two, random]}'
--set <any>: error: got attention.permutations: next, next_two, random, attention.triplet_heads: 2, d_model: 36, heads: 12; each permutation needs a head of three channels, and the triplet heads' d_model / heads channels are cut into such: room for 2
[exit 2]
