# Files that come through pipes can be read once, and some readers look at a file more than once.
=== make.sh
printf 'g\t1\t\tone\ng\t0\t*\ttwo\ng\t1\t\tthree\n' > ref.tsv
printf 'acceptable\nacceptable\nacceptable\n' > pred.txt
printf 'prediction\n1\n0\n1\n' > numbers.txt
printf 'a B-LOC\nb O\n' > ref.conll
printf '{"data": [{"paragraphs": [{"context": "a b", "qas": [{"id": "q", "question": "a?", "answers": [{"text": "a", "answer_start": 0}]}]}]}]}' > ref.json
printf '{"q": "a"}' > pred.json
printf '[UNK]\n[CLS]\n[SEP]\na\nb\n' > vocab.txt
printf 'sweep: s\nstages:\n  t: {job: noop, steps: 1}\n' > sweep.yaml
===
$ sh make.sh; rethink score glue --task cola --ref ref.tsv --pred numbers.txt > whole; bash -c 'rethink score glue --task cola --ref <(cat ref.tsv) --pred <(cat numbers.txt)' | cmp - whole; cat numbers.txt | rethink score glue --task cola --ref ref.tsv --pred /dev/fd/0 | cmp - whole; cat numbers.txt | rethink score glue --task cola --ref ref.tsv --pred /dev/stdin | cmp - whole
$ mkfifo named; cat numbers.txt > named & rethink score glue --task cola --ref ref.tsv --pred named | cmp - whole; rm named

$ bash -c 'rethink score conll --ref <(cat ref.conll) --hyp <(cat ref.conll)' | grep -c '"f1":100.0'
1
$ bash -c 'rethink score squad --ref <(cat ref.json) --pred <(cat pred.json)' | grep -c 'exact.*:100.0'
1
$ bash -c 'rethink score bleu --ref <(printf "a b c d\n") --hyp <(printf "a b c d\n")' | grep -c '"bleu":100.0'
1

# Mistakes are found in the bytes that were read, as in a file.
$ bash -c 'rethink score glue --task cola --ref <(cat pred.txt) --pred <(cat ref.tsv)' 2>&1 | sed 's/fd.[0-9]*/fd/g' | head -1
--ref: /dev/fd holds only predictions or labels, expected a table of data set 'glue/cola', with texts and labels; --pred is such a table: give --ref /dev/fd --pred /dev/fd
$ bash -c 'rethink score squad --ref <(cat pred.json) --pred <(cat ref.json)' 2>&1 | sed 's/fd.[0-9]*/fd/g' | head -1
--ref: /dev/fd holds answers by question id, expected SQuAD's own file, with questions and right answers; --pred is such a file: give --ref /dev/fd --pred /dev/fd
$ bash -c 'rethink score glue --task cola --ref <(printf "") --pred numbers.txt' 2>&1 | sed 's/fd.[0-9]*/fd/g'
/dev/fd: the file is empty; expected a table
$ rethink score glue --task cola --ref . --pred numbers.txt
--ref: . is not a file; expected the published table, or give --split dev instead
[exit 2]

# A vocabulary without [PAD] is enough if nothing is padded, and a piped one may be a tokenizer.json.
$ echo 'b a c' | bash -c 'rethink tokenize --vocab <(cat vocab.txt)'; echo 'b a c' | rethink tokenize --vocab vocab.txt --ids
b a [UNK]
4 3 0
$ bash -c 'rethink tokenize --vocab <(echo "{\"model\": 1}") vocab.txt' 2>&1 | sed 's/fd.[0-9]*/fd/g' | head -1
/dev/fd: model.vocab is missing, expected pieces and their ids
$ grep -v UNK vocab.txt > bare.txt; rethink tokenize --vocab bare.txt vocab.txt
bare.txt: error: lacks '[UNK]', which every vocabulary of BERT has
[exit 2]

# Advice on piped text names a command to put before it, since no file has its name.
$ for name in - /dev/stdin; do gzip -c sweep.yaml | rethink plan $name; iconv -f UTF-8 -t UTF-16 sweep.yaml | rethink run $name; printf '' | rethink plan $name; echo '<html>' | rethink plan $name; printf 'version https://git-lfs.github.com/spec/v1\noid sha256:1\nsize 12\n' | rethink plan $name; done
standard input: is compressed with gzip; expected YAML: gzip -dc < FILE | rethink ...
standard input: is UTF-16; expected YAML: iconv -f UTF-16 -t UTF-8 FILE | rethink ...
standard input: is empty; expected YAML: see what the command before the pipe says
standard input: is a web page (HTML); expected YAML: download the file itself, from the Hub with /resolve/ in the address instead of /blob/
standard input: is a Git LFS pointer, which stands for a file of 12 bytes, not the file itself; run `git lfs install && git lfs pull` in the repository that it comes from, or download the file
standard input: is compressed with gzip; expected YAML: gzip -dc < FILE | rethink ...
standard input: is UTF-16; expected YAML: iconv -f UTF-16 -t UTF-8 FILE | rethink ...
standard input: is empty; expected YAML: see what the command before the pipe says
standard input: is a web page (HTML); expected YAML: download the file itself, from the Hub with /resolve/ in the address instead of /blob/
standard input: is a Git LFS pointer, which stands for a file of 12 bytes, not the file itself; run `git lfs install && git lfs pull` in the repository that it comes from, or download the file
[exit 2]

$ bash -c 'rethink plan <(gzip -c sweep.yaml); rethink run <(iconv -f UTF-8 -t UTF-16 sweep.yaml); rethink plan <(true); rethink plan <(printf "sweep: s\n\351")' 2>&1 | sed 's/fd.[0-9]*/fd/g'
/dev/fd: is compressed with gzip; expected YAML: gzip -dc < FILE | rethink ...
/dev/fd: is UTF-16; expected YAML: iconv -f UTF-16 -t UTF-8 FILE | rethink ...
/dev/fd: is empty; expected YAML: see what the command before the pipe says
/dev/fd:2:1: error: not UTF-8 from here; convert the text first (iconv -f LATIN1 -t UTF-8, or from what it is)
  \xe9
  ^

$ gzip -c vocab.txt | rethink tokenize --vocab vocab.txt; gzip -c vocab.txt > packed; rethink tokenize --vocab vocab.txt < packed; bash -c 'rethink tokenize --vocab <(cat packed) vocab.txt' 2>&1 | sed 's/fd.[0-9]*/fd/g'
standard input: is compressed with gzip; expected text: gzip -dc < FILE | rethink ...
standard input: is compressed with gzip; expected text: gzip -dc < FILE | rethink ...
/dev/fd: is compressed with gzip; expected a vocabulary, a piece a line: gzip -dc < FILE | rethink ...

# The predictions come from standard input.
$ cat numbers.txt | rethink score glue --task cola --ref ref.tsv --pred - | cmp - whole; rethink score glue --task cola --ref ref.tsv --pred - < numbers.txt | cmp - whole; cat ref.conll | rethink score conll --ref ref.conll --hyp - | grep -c '"f1":100.0'; cat pred.json | rethink score squad --ref ref.json --pred - | grep -c 'exact.*:100.0'; printf 'a b c d\n' | bash -c 'rethink score bleu --ref <(printf "a b c d\n") --hyp -' | grep -c '"bleu":100.0'
1
1
1

# Text cannot have these marks and bytes.
$ bash -c 'rethink score glue --task cola --ref <(printf "g\t1\t\tone\0\n") --pred numbers.txt; rethink score glue --task cola --ref <(printf "g\t1\t\t\223one\224\n") --pred numbers.txt' 2>&1 | sed 's/fd.[0-9]*/fd/g'
/dev/fd:1:9: a byte that is 0, which text does not have; remove them (tr -d '\000' < FILE | rethink ...)
/dev/fd:1:6: the byte 0x93 is not UTF-8; convert it before the pipe (iconv -f CP1252 -t UTF-8, or from what it is)
$ printf '{"q":\n "caf\351"}' > latin.json; rethink score squad --ref ref.json --pred latin.json
latin.json:2:6: the byte 0xE9 is not UTF-8; convert the file first (iconv -f LATIN1 -t UTF-8, or from what it is)
[exit 2]

# Links lead to files that are not here.
$ ln -s .git/annex/objects/1/SHA256E-s7--0f.tsv dev.tsv; for file in dev.tsv dev.tsv/more; do rethink score glue --task cola --ref $file --pred numbers.txt; done; rethink score squad --ref ref.json --pred dev.tsv; rethink score bleu --ref dev.tsv --hyp pred.txt; rethink plan dev.tsv; rethink tokenize --vocab dev.tsv numbers.txt; rethink tokenize --vocab vocab.txt dev.tsv
dev.tsv: is a link to .git/annex/objects/1/SHA256E-s7--0f.tsv, which does not exist; run `git annex get dev.tsv` in the folder that the link is in
dev.tsv: is a link to .git/annex/objects/1/SHA256E-s7--0f.tsv, which does not exist; run `git annex get dev.tsv` in the folder that the link is in
dev.tsv: is a link to .git/annex/objects/1/SHA256E-s7--0f.tsv, which does not exist; run `git annex get dev.tsv` in the folder that the link is in
dev.tsv: is a link to .git/annex/objects/1/SHA256E-s7--0f.tsv, which does not exist; run `git annex get dev.tsv` in the folder that the link is in
dev.tsv: is a link to .git/annex/objects/1/SHA256E-s7--0f.tsv, which does not exist; run `git annex get dev.tsv` in the folder that the link is in
dev.tsv: is a link to .git/annex/objects/1/SHA256E-s7--0f.tsv, which does not exist; run `git annex get dev.tsv` in the folder that the link is in
dev.tsv: is a link to .git/annex/objects/1/SHA256E-s7--0f.tsv, which does not exist; run `git annex get dev.tsv` in the folder that the link is in
[exit 2]

# The advised command works, with the file in its place.
$ gzip -c sweep.yaml > FILE; gzip -dc < FILE | rethink plan - | head -1; rm -r *
<any>
