# Text to WordPieces, and a vocabulary of one's own.
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
=== text.txt
The cats. [MASK] hat

the dog.Hat
===
$ rethink tokenize --vocab vocab.txt text.txt
the cat ##s . [MASK] hat

the [UNK] . hat

$ rethink tokenize --vocab vocab.txt --cased --ids text.txt
1 6 7 10 4 8

5 1 10 9

# Standard input, the last line of it without an end; files one after another.
$ printf 'cat\r\nhat' | rethink tokenize --vocab vocab.txt
cat
hat

$ printf 'cat' > one.txt; rethink tokenize --vocab vocab.txt one.txt one.txt
cat
cat

$ rethink tokenize --vocab vocab.txt < /dev/null

# A long text, whose reader takes only the first line.
$ yes 'the cat' | head -200000 > long.txt; rethink tokenize --vocab vocab.txt long.txt 2>&1 | head -1
the cat

$ rethink tokenize --vocab vocab.txt long.txt | uniq -c | sed 's/^ *//'
200000 the cat

$ rethink tokenize --vocab vocab.txt text.txt >&-
standard output is closed
[exit 3]

# What is missing is said before anything is printed.
$ rethink tokenize --vocab vocab.txt text.txt none.txt
none.txt: got no such file, expected a text
[exit 2]

$ rethink tokenize --vocab vocab.txt .
.: got a folder, expected a text
[exit 2]

$ rethink tokenize --vocab none.txt text.txt
none.txt: got no such file, expected a vocab.txt
[exit 2]

$ echo the >> vocab.txt; rethink tokenize --vocab vocab.txt text.txt
vocab.txt:12:1: error: piece 'the' stands in line 6 already
  the
  ^
[exit 2]

$ rethink tokenize text.txt
rethink tokenize: got neither --vocab nor --train, expected one of them
[exit 2]

# The vocabulary holds what the texts repeat, and tokenizes them.
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
--ids: it belongs to --vocab; --train prints none
[exit 2]

$ rethink tokenize --vocab own.txt --size 9 text.txt
--size: it belongs to --train; a vocabulary has the size that it has
[exit 2]
