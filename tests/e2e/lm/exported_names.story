# The tensors of exported models are those of docs/weights.md, and a translation model of pieces generates from its folder.
=== e.yaml
sweep: e
seeds: [0]
stages:
  lm:
    job: lm
    data: {dataset: text, path: text.txt, max_tokens: 12}
    model: {layers: 2, d_model: 16, heads: 2, ffn: 24, positions: learned, max_positions: 20}
    batch: 16
    steps: 1
    keep: weights
    cases: {model: {lm_own: {model.tied_output: false}, lm_tied: {model.tied_output: true}}}
  mt:
    job: mt
    data: {dataset: parallel, unit: pieces, vocabulary: 20, train_source: train.de, train_target: train.en, dev_source: dev.de, dev_target: dev.en}
    model: {encoder_layers: 1, layers: 2, d_model: 32, heads: 2, ffn: 24, dropout: 0}
    optimizer.lr: 0.005
    schedule: {name: inverse_square_root, warmup: 20}
    search: {beams: 2}
    evaluate: {splits: [dev], keep: last}
    label_smoothing: 0
    keep: weights
    cases:
      model:
        mt_all: {model.shared_embeddings: all, steps: 200}
        mt_target: {model.shared_embeddings: target, steps: 1}
        mt_none: {model.shared_embeddings: none, steps: 1}
resources: {device: cpu, threads: 1}
===
=== names.py
import itertools, json, os, re, struct, sys

def spelt(pattern):  # "a.{b,c}" -> ["a.b", "a.c"]
    parts = [part.split(",") for part in re.split(r"[{}]", pattern)]
    return ["".join(choice) for choice in itertools.product(*parts)]

documented = {}  # shape by name, with N for the number of a layer
page = open(os.environ["FIXTURES"] + "/../../docs/weights.md").read()
for names, shapes in re.findall(r"^\| (`[^|]*`) \| (\[[^|]*\]) \|", page, re.M):
    shapes = re.findall(r"\[([^\]]*)\]", shapes)
    for pattern in re.findall(r"`([^`]*)`", names):
        for name in spelt(pattern):
            documented[name] = shapes[-1 if name.endswith("bias") else 0]

found = set()
for folder in sys.argv[1:]:
    config = json.load(open(folder + "/config.json"))["rethink"]["config"]
    model = config["model"]
    sizes = {"D": model["d_model"], "F": model["ffn"], "V": 4 + len(open(folder + "/vocab.txt").read().splitlines()),
             "`model.max_positions`": model.get("max_positions")}
    with open(folder + "/model.safetensors", "rb") as file:
        tensors = json.loads(file.read(struct.unpack("<Q", file.read(8))[0]))
    for name, tensor in tensors.items():
        if name == "__metadata__": continue
        known = re.sub(r"^(?:(?:en|de)coder\.)?layers\.\d+\.", "layers.N.", name)
        found.add(known)
        if known not in documented: print(folder, name, "is not documented")
        elif [sizes[letter] for letter in documented[known].split(", ")] != tensor["shape"]:
            print(folder, name, tensor["shape"], "is documented as", documented[known])
    print(folder, *sorted(name for name in tensors if "layers" not in name and name != "__metadata__"))
print("documented and not found:", *sorted(set(documented) - found))
===
$ for i in $(seq 200); do echo "the cat saw a mouse and the dog"; done > text.txt
$ for i in $(seq 60); do printf 'eins zwei drei\ndrei zwei\nzwei\n'; done > train.de; for i in $(seq 60); do printf 'one two three\nthree two\ntwo\n'; done > train.en; head -6 train.de > dev.de; head -6 train.en > dev.en
$ rethink run e.yaml --data . --quiet
$ for model in lm_own lm_tied mt_all mt_target mt_none; do rethink export $(rethink query "SELECT trial FROM sweep_trial WHERE json_extract(labels, '$.model') = '$model'" --format csv | tail -1) $model --data . --quiet; done
lm_own
lm_tied
mt_all
mt_target
mt_none
$ python3 names.py lm_own lm_tied mt_all mt_target mt_none
lm_own embedding.weight output.bias output.weight positions.weight
lm_tied embedding.weight output.bias positions.weight
mt_all embedding.weight
mt_target source_embedding.weight target_embedding.weight
mt_none output.weight source_embedding.weight target_embedding.weight
documented and not found:
$ rm -r text.txt train.* dev.* store; printf 'eins zwei drei\nzwei\n' | rethink generate mt_all
one two three
two
$ ls mt_all
config.json
model.safetensors
sentencepiece.model
vocab.txt
