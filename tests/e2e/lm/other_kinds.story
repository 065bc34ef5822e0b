# Files of another kind in the place of the files that a folder or a command takes.
=== tiny.sh
rm -rf theirs ours; cp -r "$(dirname "$(command -v rethink)")/../../../tests/fixtures/tiny_bert" theirs && rm theirs/expected.safetensors
===
=== page.html
<!DOCTYPE html>
<html><head><title>model.safetensors</title></head></html>
===
=== sweep.yaml
sweep: small
stages:
  train: {job: noop}
===
$ sh tiny.sh; gzip -c theirs/config.json > new; mv new theirs/config.json; rethink import theirs --out ours
theirs/config.json: is compressed with gzip; expected JSON: gzip -dc < theirs/config.json > NEW
[exit 2]

$ cp page.html theirs/config.json; rethink import theirs --out ours
theirs/config.json: is a web page (HTML); expected JSON: download the file itself, from the Hub with /resolve/ in the address instead of /blob/
[exit 2]

$ sh tiny.sh; printf '\377\376{\000}\000' > theirs/tokenizer_config.json; rethink import theirs --out ours
theirs/tokenizer_config.json: is UTF-16; expected JSON: iconv -f UTF-16 -t UTF-8 theirs/tokenizer_config.json > NEW
[exit 2]

$ sh tiny.sh; : > theirs/tokenizer.json; rethink import theirs --out ours
theirs/tokenizer.json: is empty; expected JSON: write it, or get it again
[exit 2]

$ sh tiny.sh; cp page.html theirs/vocab.txt; rethink import theirs --out ours
theirs/vocab.txt: is a web page (HTML); expected a vocabulary, a piece a line: download the file itself, from the Hub with /resolve/ in the address instead of /blob/
[exit 2]

# Weights.
$ sh tiny.sh; gzip -n theirs/model.safetensors; mv theirs/model.safetensors.gz theirs/model.safetensors; rethink import theirs --out ours
theirs/model.safetensors: is compressed with gzip; expected safetensors: gzip -dc < theirs/model.safetensors > NEW
[exit 2]

$ printf '\200\002\212\nl\374\234F\371 j\250P\031.' > theirs/model.safetensors; rethink import theirs --out ours
theirs/model.safetensors: is a pickle, as PyTorch's pytorch_model.bin is; expected safetensors: convert it with these two lines of Python (pip install torch safetensors):
  import torch, safetensors.torch as st
  st.save_file({k: v.contiguous().clone() for k, v in torch.load("theirs/model.safetensors", "cpu", weights_only=True).items()}, "NEW.safetensors")
[exit 2]

$ cp page.html theirs/model.safetensors; rethink import theirs --out ours
theirs/model.safetensors: is a web page (HTML); expected safetensors: download the file itself, from the Hub with /resolve/ in the address instead of /blob/
[exit 2]

$ : > theirs/model.safetensors; rethink import theirs --out ours
theirs/model.safetensors: is empty; expected safetensors: write it, or get it again
[exit 2]

$ rm theirs/model.safetensors; echo '{"weight_map": {}}' > theirs/model.safetensors.index.json; rethink import theirs --out ours
theirs/model.safetensors does not exist; theirs/model.safetensors.index.json lists several files with its weights: get them, too
[exit 2]

$ : > theirs/tf_model.h5; rethink import theirs --out ours
theirs/model.safetensors does not exist; the weights in theirs are in TensorFlow's form, which these two lines of Python, run in that folder, make into one file (pip install 'transformers<4.50' torch tensorflow tf-keras):
  import transformers as t
  getattr(t, t.AutoConfig.from_pretrained(".").architectures[0]).from_pretrained(".", from_tf=True).save_pretrained(".")
[exit 2]

$ mv theirs/tf_model.h5 theirs/flax_model.msgpack; rethink import theirs --out ours 2>&1 | grep -o "in Flax's form\|from_flax=True"
in Flax's form
from_flax=True

# Answers, sweeps and vocabularies.
$ echo '{"data": []}' | gzip -n > dev.json; echo '{}' > pred.json; rethink score squad --ref dev.json --pred pred.json
dev.json: is compressed with gzip; expected JSON: gzip -dc < dev.json > NEW
[exit 2]

$ echo '{"data": [{"paragraphs": [{"context": "a b", "qas": [{"id": "q", "question": "?", "answers": [{"text": "a", "answer_start": 0}]}]}]}]}' > dev.json; : > pred.json; rethink score squad --ref dev.json --pred pred.json
pred.json: is empty; expected JSON: write it, or get it again
[exit 2]

$ printf '{\000}\000' > pred.json; rethink score squad --ref dev.json --pred pred.json
pred.json: is UTF-16; expected JSON: iconv -f UTF-16LE -t UTF-8 pred.json > NEW
[exit 2]

$ gzip -nc sweep.yaml > other.yaml; rethink plan other.yaml
other.yaml: is compressed with gzip; expected YAML: gzip -dc < other.yaml > NEW
[exit 2]

$ cp page.html other.yaml; rethink plan other.yaml
other.yaml: is a web page (HTML); expected YAML: download the file itself, from the Hub with /resolve/ in the address instead of /blob/
[exit 2]

$ gzip -nc sweep.yaml > pieces.txt; echo abc | rethink tokenize --vocab pieces.txt
pieces.txt: is compressed with gzip; expected a vocabulary, a piece a line: gzip -dc < pieces.txt > NEW
[exit 2]
