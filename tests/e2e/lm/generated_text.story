# A trial's model writes text: from the store, and from a folder that needs neither store nor data.
$ for i in $(seq 200); do echo "the cat saw a mouse and the dog"; done > text.txt
$ for i in $(seq 60); do printf 'eins zwei drei\ndrei zwei\nzwei\n'; done > train.de; for i in $(seq 60); do printf 'one two three\nthree two\ntwo\n'; done > train.en; head -6 train.de > dev.de; head -6 train.en > dev.en
=== g.yaml
sweep: g
seeds: [0]
stages:
  lm:
    job: lm
    data: {dataset: text, path: text.txt, max_tokens: 12}
    model: {layers: 1, d_model: 32, heads: 2, ffn: 32, attention: {kind: bird_eye}}
    optimizer: {name: adam, lr: 0.01}
    batch: 16
    steps: 100
    keep: weights
  mt:
    job: mt
    data: {dataset: parallel, unit: words, train_source: train.de, train_target: train.en, dev_source: dev.de, dev_target: dev.en}
    model: {encoder_layers: 1, layers: 1, d_model: 32, heads: 2, ffn: 32, dropout: 0}
    optimizer.lr: 0.005
    schedule: {name: inverse_square_root, warmup: 20}
    search: {beams: 2}
    evaluate: {splits: [dev], keep: last}   # BLEU is 0 of so short sentences
    label_smoothing: 0
    steps: 400
    keep: weights
  unkept: {job: lm, data: {dataset: text, path: text.txt}, model: {layers: 1, d_model: 16, heads: 1, ffn: 16}, steps: 1}
resources: {device: cpu, threads: 1}
===
$ rethink run g.yaml --data . --quiet
$ for stage in lm mt unkept; do rethink query "SELECT trial FROM sweep_trial WHERE stage = '$stage'" --format csv | tail -1 > $stage; done

$ rethink generate $(cat lm) --data . --prompt "the cat" --temperature 0
the cat saw a mouse and the dog

$ rethink generate $(cat lm) --data . --prompt=-a --prompt "" --tokens 1 --temperature 0
-a <any>
the
note: 1 word is not in the model's vocabulary and became <unk>: '-a'
$ printf 'eins zwei drei\n\nzwei\n' | rethink generate $(cat mt) --data .
one two three

two

# Words that the vocabulary lacks become the unknown token, which a note says.
$ rethink generate $(cat lm) --data . --prompt "the cow" --prompt "the cow and <unk> elk" --tokens 1 --temperature 0 > told 2> note; wc -l < told; cat note; rm told note
2
note: 3 words are not in the model's vocabulary and became <unk>: 'cow', 'elk'
$ printf 'eins vier\n' | rethink generate $(cat mt) --data . 2>&1 >/dev/null
note: 1 word is not in the model's vocabulary and became <unk>: 'vier'

# Equal seeds draw equal text; a line's text also depends on its number.
$ rethink generate $(cat lm) --data . --prompt the --prompt the --temperature 50 --tokens 4 --seed 7 > first; rethink generate $(cat lm) --data . --prompt the --prompt the --temperature 50 --tokens 4 --seed 7 > again; rethink generate $(cat lm) --data . --prompt the --prompt the --temperature 50 --tokens 4 --seed 8 > other; cmp first again && ! cmp -s first other && sort -u first | wc -l
2

# The folder is copied elsewhere, without the store and the data.
$ rethink export $(cat lm) lm_folder --data . && rethink export $(cat mt) mt_folder --data .
lm_folder
mt_folder
$ rethink encode lm_folder --out states.safetensors
lm_folder holds a language or translation model (job lm), expected an encoder; `rethink generate` reads this model
[exit 2]
$ mv text.txt text; rethink generate $(cat lm) --data nowhere --prompt the; mv text text.txt
data set 'text': <any>/text.txt is not a file<any>
$ ls lm_folder; mv lm_folder mt_folder ..; mkdir -p ../empty
config.json
model.safetensors
vocab.txt
$ cd ../empty && rethink generate ../lm_folder --prompt "the cat" --temperature 0 && echo "drei zwei" | rethink generate ../mt_folder && rethink generate ../lm_folder --prompt the --prompt the --temperature 50 --tokens 4 --seed 7 > first; cd - >/dev/null; cmp first ../empty/first; rm -r ../lm_folder ../mt_folder ../empty
the cat saw a mouse and the dog
three two

$ rethink export $(cat unkept) elsewhere
trial <id> kept no weights: write `keep: weights` in its stage and run the sweep again, which makes them again, to the same bits
[exit 2]
$ rethink generate .
. has no config.json: expected the folder of a language or translation model that `rethink export` made
[exit 2]
$ rethink generate $(cat lm) --data . --prompt "a b c d e f g h i j k l m"
got 13 tokens, expected at most 12, where the model's data were cut: "a b c d e f g h i j k l m"
[exit 2]
$ rethink generate $(cat lm) --prompt a --in dev.de
--prompt and --in: give one of them
[exit 2]
