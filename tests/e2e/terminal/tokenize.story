# Text to WordPieces, and a vocabulary from a user's text.
=== vocab.txt
[PAD]
[UNK]
[CLS]
[SEP]
[MASK]
the
cat
##s
hat
Hat
.
===
=== lower.txt
[PAD]
[UNK]
[CLS]
[SEP]
[MASK]
the
cat
##s
hat
.
===
=== text.txt
The cats. [MASK] hat

the dog.Hat
===
$ rethink tokenize --vocab lower.txt text.txt
the cat ##s . [MASK] hat

the [UNK] . hat

$ rethink tokenize --vocab vocab.txt --cased --ids text.txt
1 6 7 10 4 8

5 1 10 9

# Files beside a vocab.txt determine whether case is kept, or else its own capitals do.
$ rethink tokenize --vocab vocab.txt text.txt | head -n 1
note: <any>vocab.txt<any>
[UNK] cat ##s . [MASK] hat
$ echo '{"do_lower_case": true}' > tokenizer_config.json; rethink tokenize --vocab vocab.txt text.txt | head -n 1; rm tokenizer_config.json
the cat ##s . [MASK] hat

# Standard input has a last line without an end; files come one after another.
$ printf 'cat\r\nhat' | rethink tokenize --vocab lower.txt
cat
hat

$ printf 'cat' > one.txt; rethink tokenize --vocab lower.txt one.txt one.txt
cat
cat

# Only a carriage return ends these lines.
$ printf 'cat\r\rhat\r' | rethink tokenize --vocab lower.txt
cat

hat

$ printf '\357\273\277cat\rhat' | rethink tokenize --vocab lower.txt
cat
hat

$ rethink tokenize --vocab lower.txt < /dev/null

$ printf ' \n' > blank.txt; rethink tokenize --train new.txt blank.txt; rethink tokenize --train new.txt < /dev/null; rm blank.txt; ls new.txt
blank.txt: no word is in it; expected text
standard input: no word is in it; expected text
ls: <any>new.txt<any>
[exit 2]

# The reader of a long text takes only the first line.
$ yes 'the cat' | head -200000 > long.txt; rethink tokenize --vocab lower.txt long.txt 2>&1 | head -1
the cat

$ rethink tokenize --vocab lower.txt long.txt | uniq -c | sed 's/^ *//'
200000 the cat

$ rethink tokenize --vocab lower.txt text.txt >&-
standard output is closed
[exit 3]

# Missing files are reported before anything is printed.
$ rethink tokenize --vocab lower.txt text.txt none.txt
none.txt: got no such file, expected a text
[exit 2]

$ rethink tokenize --vocab lower.txt .
.: got a folder, expected a text
[exit 2]

$ rethink tokenize --vocab none.txt text.txt
none.txt: got no such file, expected a vocab.txt or a tokenizer.json
[exit 2]

# In people's vocabularies the last of equal lines has the id, and no other id moves.
$ printf '\n\342\200\250\nthe\n\n' >> vocab.txt; cp vocab.txt grown.txt; rethink tokenize --vocab grown.txt --ids text.txt
13 6 7 10 4 8

13 1 10 8

$ sed '1s/^/\xef\xbb\xbf/; s/$/\r/' vocab.txt > windows.txt; rethink tokenize --vocab windows.txt --ids text.txt
note: windows.txt: the byte order mark at its beginning is left out
13 6 7 10 4 8

13 1 10 8

$ rethink tokenize --vocab windows.txt --ids text.txt --quiet
13 6 7 10 4 8

13 1 10 8

$ sed 5s/.*/mask/ vocab.txt > no_mask.txt; rethink tokenize --vocab no_mask.txt text.txt
the cat ##s . [UNK] mask [UNK] hat

the [UNK] . hat

# The vocabulary of a tokenizer.json.
$ printf '{"model": {"vocab": {"[PAD]": 0, "[UNK]": 1, "[CLS]": 2, "[SEP]": 3, "the": 4, "cat": 6, "##s": 5}}}' > tokenizer.json; rethink tokenize --vocab tokenizer.json --ids text.txt
4 6 5 1 1 1 1 1

4 1 1 1

# Its normalizer says whether text keeps its case.
$ sed 's/^./&"normalizer": {"type": "BertNormalizer", "lowercase": false}, /' tokenizer.json > cased.json; echo 'the The' | rethink tokenize --vocab cased.json --ids
4 1

$ sed 's/^./&"normalizer": {"type": "BertNormalizer", "lowercase": true}, /' tokenizer.json > uncased.json; echo 'the The' | rethink tokenize --vocab uncased.json --ids
4 4

$ echo 'the The' | rethink tokenize --vocab uncased.json --cased
--cased: the normalizer of uncased.json lower-cases; leave --cased out
[exit 2]

$ sed -i s/vocab/merges/ tokenizer.json; rethink tokenize --vocab tokenizer.json text.txt
tokenizer.json: model.vocab is missing, expected pieces and their ids
[exit 2]

$ printf 'version https://git-lfs.github.com/spec/v1\noid sha256:aa\nsize 440449768\n' > pointer.txt; rethink tokenize --vocab pointer.txt text.txt
pointer.txt: is a Git LFS pointer, which stands for a file of 440449768 bytes, not the file itself; run `git lfs install && git lfs pull` in the repository that it comes from, or download the file
[exit 2]

$ rethink tokenize --vocab lower.txt pointer.txt
pointer.txt: is a Git LFS pointer, which stands for a file of 440449768 bytes, not the file itself; run `git lfs install && git lfs pull` in the repository that it comes from, or download the file
[exit 2]

$ rethink tokenize text.txt
rethink tokenize: got neither --vocab nor --train, expected one of them
[exit 2]

# The vocabulary holds repeated parts of the texts, and tokenizes them.
$ rethink tokenize --train own.txt --size 18 text.txt text.txt
own.txt: 18 pieces

$ head -8 own.txt
[PAD]
[UNK]
[CLS]
[SEP]
[MASK]
.
c
d

$ rethink tokenize --train own.txt text.txt text.txt
own.txt: 25 pieces; the texts repeat no more than these

$ rethink tokenize --vocab own.txt text.txt
the cats . [MASK] hat

the dog . hat

$ rethink tokenize --train own.txt --size 9 text.txt
a vocabulary of 9 pieces has no room for 5 special tokens and 12 characters: give a larger size
[exit 2]

$ rethink tokenize --train own.txt --ids text.txt
--ids is for --vocab; --train prints no ids
[exit 2]

$ rethink tokenize --vocab own.txt --size 9 text.txt
--size is for --train; an existing vocabulary keeps its size
[exit 2]

$ rethink tokenize --vocab lower.txt < pointer.txt
standard input: is a Git LFS pointer, which stands for a file of 440449768 bytes, not the file itself; run `git lfs install && git lfs pull` in the repository that it comes from, or download the file
[exit 2]
