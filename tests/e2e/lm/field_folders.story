# Folders of BERTs as people have them: casing, vocabularies and weights in other forms.
=== tiny.sh
rm -rf theirs ours; cp -r "$(dirname "$(command -v rethink)")/../../../tests/fixtures/tiny_bert" theirs && rm theirs/expected.safetensors
===
=== pointer.txt
version https://git-lfs.github.com/spec/v1
oid sha256:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
size 440449768
===
=== wrap.sh
# Puts $1 before the name of every weight, or of those that begin with $2.
export LC_ALL=C
file=theirs/model.safetensors length=$(od -An -t u4 -N 4 theirs/model.safetensors | tr -d ' ')
header=$(tail -c +9 $file | head -c "$length" | sed "s/\"\(${2:-bert\.\|cls\.}\)/\"$1\1/g; s/ *\$//")
header=$header$(printf '%*s' $(((8 - ${#header} % 8) % 8)) '')
printf "\\$(printf %o $((${#header} % 256)))\\$(printf %o $((${#header} / 256)))\\0\\0\\0\\0\\0\\0" > new
printf %s "$header" >> new; tail -c +$((9 + length)) $file >> new; mv new $file
===
$ sh tiny.sh; sh wrap.sh module._orig_mod.; rethink import theirs --out ours
note: every weight's name begins with 'module._orig_mod.', which is left out
ours: 2 layers of width 32, 4 heads, 24 positions, 48 pieces (uncased); heads: mlm, nsp, pooler

$ echo abc > t.txt; rethink encode theirs --in t.txt --out one.safetensors
note: every weight's name begins with 'module._orig_mod.', which is left out

$ rethink encode ours --in t.txt --out two.safetensors && cmp one.safetensors two.safetensors

# All weights have another prefix.
$ sh tiny.sh; sh wrap.sh student.; rethink import theirs --out ours3 && rm -r ours3
note: every weight's name begins with 'student.', which is left out
ours3: 2 layers of width 32, 4 heads, 24 positions, 48 pieces (uncased); heads: mlm, nsp, pooler

# Only some names have the prefix, as if there were two models.
$ sh tiny.sh; sh wrap.sh module. cls.; rethink import theirs --out ours2
theirs/model.safetensors: 'module.' begins the names of 7 of <n> weights, which are 'module.cls.predictions.bias', 'module.cls.predictions.transform.LayerNorm.bias', 'module.cls.predictions.transform.LayerNorm.weight', 4 more; expected it before every name or none. If all are weights of one model, these two lines of Python, run in that folder, remove it (pip install torch safetensors):
  import safetensors.torch as st
  st.save_file({k.removeprefix("module."): v for k, v in st.load_file("model.safetensors").items()}, "model.safetensors")
[exit 2]

# Only capitals in the vocabulary show that case is kept; a normalizer's setting has priority.
$ sh tiny.sh; sed -i '6s/.*/Abc/' theirs/vocab.txt; rethink import theirs --out ours
note: theirs/vocab.txt: 1 piece with capitals, such as 'Abc', so that text keeps its case: no other file says whether it does; write do_lower_case, true or false, into tokenizer_config.json to say it
ours: 2 layers of width 32, 4 heads, 24 positions, 48 pieces (cased); heads: mlm, nsp, pooler

$ rm -r ours; echo '{"normalizer": {"type": "BertNormalizer", "lowercase": true}}' > theirs/tokenizer.json; rethink import theirs --out ours
ours: 2 layers of width 32, 4 heads, 24 positions, 48 pieces (uncased); heads: mlm, nsp, pooler

$ sh tiny.sh; echo '{"normalizer": {"type": "BertNormalizer", "lowercase": false}}' > theirs/tokenizer.json; rethink import theirs --out ours; grep lower ours/tokenizer_config.json
ours: 2 layers of width 32, 4 heads, 24 positions, 48 pieces (cased); heads: mlm, nsp, pooler
  "do_lower_case": false,

# The tokenizer in a tokenizer.json beside vocab.txt gives other ids than BERT's.
$ sh tiny.sh; echo '{"normalizer": null}' > theirs/tokenizer.json; rethink import theirs --out ours
theirs/tokenizer.json: normalizer is null, expected BertNormalizer: only BERT's own tokenizer is read, and the ids of this file's tokenizer differ; if the weights were trained with BERT's, delete this file, so that vocab.txt is read
[exit 2]

$ echo '{"do_lower_case": true}' > theirs/tokenizer_config.json; echo '{"normalizer": {"type": "NFC"}}' > theirs/tokenizer.json; rethink encode theirs --in t.txt --out x.safetensors
theirs/tokenizer.json: normalizer.type is "NFC", expected "BertNormalizer": only BERT's own tokenizer is read, and the ids of this file's tokenizer differ; if the weights were trained with BERT's, delete this file, so that vocab.txt is read
[exit 2]

$ echo '{"model": {"vocab": {"[PAD]": 0, "a": 1}}}' > theirs/tokenizer.json; rethink import theirs --out ours 2>&1 | grep -c 'in vocab.txt beside it: both must hold one vocabulary'
1

$ rm theirs/tokenizer.json; echo '{"<e1>": 48}' > theirs/added_tokens.json; rethink import theirs --out ours
theirs/added_tokens.json: a token is "<e1>", expected BERT's special tokens alone: only BERT's own tokenizer is read, and the ids of a tokenizer with other tokens differ; remove the token if the weights were trained without it
[exit 2]

# A vocabulary has a byte order mark, and another one is only in tokenizer.json.
$ sh tiny.sh; cp theirs/vocab.txt plain.txt; sed -i '1s/^/\xef\xbb\xbf/' theirs/vocab.txt; rethink import theirs --out ours; cmp ours/vocab.txt plain.txt
note: theirs/vocab.txt: the byte order mark at its beginning is left out
ours: 2 layers of width 32, 4 heads, 24 positions, 48 pieces (uncased); heads: mlm, nsp, pooler

$ sh tiny.sh; rm theirs/vocab.txt; awk 'BEGIN { printf "{\"model\": {\"type\": \"WordPiece\", \"vocab\": {" } NR > 1 { printf ", " } { printf "\"%s\": %d", $0, NR - 1 } END { print "}}}" }' plain.txt > theirs/tokenizer.json; rethink import theirs --out ours; cmp ours/vocab.txt plain.txt
ours: 2 layers of width 32, 4 heads, 24 positions, 48 pieces (uncased); heads: mlm, nsp, pooler

# Weights are missing, or are not numbers.
$ sh tiny.sh; cp pointer.txt theirs/model.safetensors; rethink import theirs --out ours
theirs/model.safetensors: is a Git LFS pointer, which stands for a file of 440449768 bytes, not the file itself; run `git lfs install && git lfs pull` in the repository that it comes from, or download the file
[exit 2]

$ sh tiny.sh; cp pointer.txt theirs/vocab.txt; rethink encode theirs --in t.txt --out x.safetensors 2>&1 | cut -c 1-39
theirs/vocab.txt: is a Git LFS pointer,

$ sh tiny.sh; rethink encode theirs --in pointer.txt --out x.safetensors 2>&1 | cut -c 1-40
pointer.txt: is a Git LFS pointer, which

$ sh tiny.sh; printf '\000\000\300\177' | dd of=theirs/model.safetensors bs=1 seek=$((8 + $(od -An -t u4 -N 4 theirs/model.safetensors))) conv=notrunc status=none; rethink import theirs --out ours
theirs/model.safetensors: 1 of the 32 values of bert.embeddings.LayerNorm.bias are NaN or infinite: the training diverged, or the file is damaged; take an earlier checkpoint, or download the file again
[exit 2]

$ rethink encode theirs --in t.txt --out x.safetensors
theirs/model.safetensors: 1 of the 32 values of bert.embeddings.LayerNorm.bias are NaN or infinite: the training diverged, or the file is damaged; take an earlier checkpoint, or download the file again
[exit 2]

$ sh tiny.sh; sed -i 's/"vocab_size": 48/"vocab_size": 9000000/' theirs/config.json; rethink import theirs --out ours
theirs/model.safetensors does not hold the weights of the model in theirs/config.json:
  bert.embeddings.word_embeddings.weight is of shape [48, 32], expected [9000000, 32]
[exit 2]

$ sh tiny.sh; mv theirs/model.safetensors theirs/pytorch_model.bin; rethink import theirs --out ours
theirs/model.safetensors does not exist; the weights in theirs are in PyTorch's form, which these two lines of Python, run in that folder, make into one file (pip install torch safetensors):
  import glob, torch, safetensors.torch as st; files = [torch.load(f, "cpu", weights_only=True) for f in glob.glob("pytorch_model*.bin")]
  st.save_file({k: v.contiguous().clone() for d in files for k, v in d.get("state_dict", d.get("model", d)).items() if torch.is_tensor(v)}, "model.safetensors")
[exit 2]

# Tokenizers and weights are of other kinds.
$ sh tiny.sh; echo '{"tokenizer_class": "BertJapaneseTokenizer", "word_tokenizer_type": "mecab"}' > theirs/tokenizer_config.json; rethink import theirs --out ours; rethink encode theirs --in t.txt --out x.safetensors; rethink tokenize --vocab theirs/vocab.txt t.txt
theirs/tokenizer_config.json: its tokenizer is BertJapaneseTokenizer; rethink reads WordPiece vocabularies of BERT and DistilBERT; take weights with such a tokenizer, or, if these were trained with BERT's, write tokenizer_class BertTokenizer there
theirs/tokenizer_config.json: its tokenizer is BertJapaneseTokenizer; rethink reads WordPiece vocabularies of BERT and DistilBERT; take weights with such a tokenizer, or, if these were trained with BERT's, write tokenizer_class BertTokenizer there
theirs/tokenizer_config.json: its tokenizer is BertJapaneseTokenizer; rethink reads WordPiece vocabularies of BERT and DistilBERT; take weights with such a tokenizer, or, if these were trained with BERT's, write tokenizer_class BertTokenizer there
[exit 2]

$ sh tiny.sh; rm theirs/vocab.txt; touch theirs/vocab.json theirs/merges.txt; rethink import theirs --out ours
theirs/merges.txt: its tokenizer is BPE, with its vocabulary in vocab.json; rethink reads WordPiece vocabularies of BERT and DistilBERT; take weights with such a tokenizer, or, if these were trained with BERT's, put their vocab.txt there
[exit 2]

$ sh tiny.sh; rm theirs/config.json theirs/model.safetensors; echo '{"base_model_name_or_path": "bert-base-uncased"}' > theirs/adapter_config.json; rethink import theirs --out ours
theirs/adapter_config.json: the weights are an adapter (LoRA or another PEFT method) without the model that it changes; these two lines of Python, run in that folder, merge both into the folder merged (pip install peft transformers; num_labels=N in the last from_pretrained where a task has more than 2 classes):
  import json, peft, transformers as t; a = json.load(open("adapter_config.json")); kind = {"SEQ_CLS": "SequenceClassification", "TOKEN_CLS": "TokenClassification", "QUESTION_ANS": "QuestionAnswering", "FEATURE_EXTRACTION": "FeatureExtraction"}.get(a.get("task_type"))
  t.AutoTokenizer.from_pretrained(a["base_model_name_or_path"]).save_pretrained("merged"); getattr(peft, "AutoPeftModelFor" + kind if kind else "AutoPeftModel").from_pretrained(".").merge_and_unload().save_pretrained("merged")
[exit 2]
