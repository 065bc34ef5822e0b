# Files of another kind take the place of the files that a folder or a command needs.
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

# These are weights.
$ sh tiny.sh; gzip -n theirs/model.safetensors; mv theirs/model.safetensors.gz theirs/model.safetensors; rethink import theirs --out ours
theirs/model.safetensors: is compressed with gzip; expected safetensors: gzip -dc < theirs/model.safetensors > NEW
[exit 2]

$ printf '\200\002\212\nl\374\234F\371 j\250P\031.' > theirs/model.safetensors; rethink import theirs --out ours
theirs/model.safetensors: is a pickle, as PyTorch's pytorch_model.bin is; expected safetensors: convert it with these two lines of Python (pip install torch safetensors):
  import torch, safetensors.torch as st; d = torch.load("theirs/model.safetensors", "cpu", weights_only=True)
  st.save_file({k: v.contiguous().clone() for k, v in d.get("state_dict", d.get("model", d)).items() if torch.is_tensor(v)}, "NEW.safetensors")
[exit 2]

$ cp page.html theirs/model.safetensors; rethink import theirs --out ours
theirs/model.safetensors: is a web page (HTML); expected safetensors: download the file itself, from the Hub with /resolve/ in the address instead of /blob/
[exit 2]

$ printf 'Entry not found' > theirs/model.safetensors; rethink import theirs --out ours
theirs/model.safetensors: is a short text, 'Entry not found'; expected safetensors: download it again
[exit 2]

$ echo '{"error":"Repository not found"}' > theirs/model.safetensors; rethink import theirs --out ours
theirs/model.safetensors: is a short text, '{"error":"Repository not found"}'; expected safetensors: download it again
[exit 2]

$ printf '\211HDF\r\n\032\n12345678' > theirs/model.safetensors; rethink import theirs --out ours
theirs/model.safetensors: is HDF5, as TensorFlow's tf_model.h5 is; expected safetensors: convert it with these two lines of Python, run in its folder (pip install 'transformers<4.50' torch tensorflow tf-keras):
  import os, transformers as t; os.rename("model.safetensors", "tf_model.h5")
  getattr(t, t.AutoConfig.from_pretrained(".").architectures[0]).from_pretrained(".", from_tf=True).save_pretrained(".")
[exit 2]

$ head -c 3000 /dev/zero > theirs/model.safetensors; rethink import theirs --out ours
theirs/model.safetensors: holds only zero bytes, as after a crash or a failed download; expected safetensors: get it again
[exit 2]

$ echo '/annex/objects/SHA256E-s440449768--aa.safetensors' > theirs/model.safetensors; rethink import theirs --out ours
theirs/model.safetensors: is a git-annex pointer, which stands for a file of 440449768 bytes, not the file itself; run `git annex get model.safetensors` in the folder that it comes from, or download the file
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

$ rm theirs/flax_model.msgpack; : > theirs/last.ckpt; rethink import theirs --out ours
theirs/model.safetensors does not exist; the weights in theirs are in PyTorch's form, which these two lines of Python, run in that folder, make into one file (pip install torch safetensors):
  import torch, safetensors.torch as st; d = torch.load("last.ckpt", "cpu", weights_only=True)
  st.save_file({k: v.contiguous().clone() for k, v in d.get("state_dict", d.get("model", d)).items() if torch.is_tensor(v)}, "model.safetensors")
[exit 2]

$ rm theirs/last.ckpt; mv theirs/config.json theirs/bert_config.json; : > theirs/bert_model.ckpt.index; rethink import theirs --out ours
theirs has no config.json; expected a folder as transformers saves them, with config.json, model.safetensors and vocab.txt; the weights in theirs are in the form of Google's BERT, which these two lines of Python, run in that folder, make into config.json and model.safetensors (pip install 'transformers<4.50' torch tensorflow tf-keras):
  import transformers as t; m = t.BertForPreTraining(t.BertConfig.from_json_file("bert_config.json"))
  t.load_tf_weights_in_bert(m, m.config, "bert_model.ckpt"); m.save_pretrained(".")
[exit 2]

# These are answers, sweeps and vocabularies.
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

$ sed 's/$/\r\r/' sweep.yaml > other.yaml; rethink plan other.yaml
other.yaml:1:13: error: lines end with \r\r\n, line ends that were converted twice; take \r away (tr -d '\r')
...
[exit 2]

$ { cat sweep.yaml; head -c 40 /dev/zero; } > other.yaml; rethink plan other.yaml
other.yaml:4:1: error: a byte that is 0, which text does not have; remove them (tr -d '\000')
...
[exit 2]

$ tar -cf other.yaml sweep.yaml; rethink plan other.yaml
other.yaml: is an archive (tar); expected YAML: tar -xf other.yaml
[exit 2]

$ cp page.html other.yaml; rethink plan other.yaml
other.yaml: is a web page (HTML); expected YAML: download the file itself, from the Hub with /resolve/ in the address instead of /blob/
[exit 2]

$ gzip -nc sweep.yaml > pieces.txt; echo abc | rethink tokenize --vocab pieces.txt
pieces.txt: is compressed with gzip; expected a vocabulary, a piece a line: gzip -dc < pieces.txt > NEW
[exit 2]
