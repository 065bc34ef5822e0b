# A BERT of transformers is imported and encodes text, and the faults of a folder without a BERT are named.
=== lines.txt
abc, def	ghi
abcd
===
=== tiny.sh
cp -r "$(dirname "$(command -v rethink)")/../../../tests/fixtures/tiny_bert" theirs && rm theirs/expected.safetensors
===
=== shapes.sh
head -c 1000 "$1" | tr '}' '\n' | sed -n 's/.*"\([a-z_.0-9]*\)":{"data_offsets":[^a-z]*"dtype":"\([A-Z0-9]*\)","shape":\(.*\)/\1 \2 \3/p'
===
$ sh tiny.sh

$ rethink import theirs --out ours
ours: 2 layers of width 32, 4 heads, 24 positions, 48 pieces (uncased); heads: mlm, nsp, pooler

$ ls ours
config.json
model.safetensors
tokenizer_config.json
vocab.txt

$ rethink import theirs --out ours
--out: ours is there already; name a new folder
[exit 2]

$ rethink encode ours --in lines.txt --out states.safetensors

$ sh shapes.sh states.safetensors
attention_mask I64 [2,13]
hidden_states.0 F32 [2,13,32]
hidden_states.1 F32 [2,13,32]
hidden_states.2 F32 [2,13,32]
input_ids I64 [2,13]
pooler_output F32 [2,32]
token_type_ids I64 [2,13]

# The same weights give the same bytes, also from a pipe.
$ rethink encode theirs --out again.safetensors < lines.txt && cmp states.safetensors again.safetensors

$ rethink encode ours --in lines.txt
encode: give --out FILE.safetensors
[exit 2]

$ rethink encode nowhere --in lines.txt --out x.safetensors
nowhere is not a folder; expected a folder as transformers saves them, with config.json, model.safetensors and vocab.txt
[exit 2]

$ rethink encode ours --in nowhere.txt --out x.safetensors
--in: nowhere.txt cannot be read
[exit 2]

$ : > empty.txt; rethink encode ours --in empty.txt --out x.safetensors; rm empty.txt; rethink encode ours --out x.safetensors < /dev/null
empty.txt: is empty; expected lines of text
standard input: is empty; expected lines of text
[exit 2]

$ rethink encode ours --in lines.txt --out ours
--out: ours is there already; name a new file
[exit 2]

$ rethink encode theirs --in lines.txt --out states.safetensors
--out: states.safetensors is there already; name a new file
[exit 2]

$ sed -i 's/"hidden_act": "gelu"/"hidden_act": "swish"/; s/"vocab_size": 48/"vocab_size": "48"/' theirs/config.json; rethink import theirs --out new
theirs/config.json: error: vocab_size is "48", expected a whole number above 0
theirs/config.json: error: hidden_act is "swish", expected gelu or relu
[exit 2]

$ ls new
ls: cannot access 'new': No such file or directory
[exit 2]
