# Lines of text come through a pipe; other commands need a folder.
=== tiny.sh
rm -rf theirs; cp -r "$(dirname "$(command -v rethink)")/../../../tests/fixtures/tiny_bert" theirs && rm theirs/expected.safetensors
printf 'abc\n' > t.txt
===
$ sh tiny.sh; rethink encode theirs --in t.txt --out one.safetensors; bash -c 'rethink encode theirs --in <(cat t.txt) --out two.safetensors'; cmp one.safetensors two.safetensors

$ rethink encode theirs --in - --out six.safetensors < t.txt; cmp one.safetensors six.safetensors

$ gzip -c t.txt | rethink encode theirs --out three.safetensors; bash -c 'rethink encode theirs --in <(gzip -c t.txt) --out three.safetensors' 2>&1 | sed 's/fd.[0-9]*/fd/g'
standard input: is compressed with gzip; expected text: gzip -dc < FILE | rethink ...
/dev/fd: is compressed with gzip; expected text: gzip -dc < FILE | rethink ...

$ rethink import /dev/null --out ours; bash -c 'rethink import <(cat t.txt) --out ours' 2>&1 | sed 's/fd.[0-9]*/fd/g'
/dev/null is not a folder; expected a folder as transformers saves them, with config.json, model.safetensors and vocab.txt
/dev/fd is not a folder; expected a folder as transformers saves them, with config.json, model.safetensors and vocab.txt
