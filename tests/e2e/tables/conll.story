# Entities are counted as by conlleval: two of three in the reference are found, and no others.
=== ref.txt
Anna B-PER
lives O
in O
New B-LOC
York I-LOC

Bob B-PER
sleeps O
===
=== hyp.txt
Anna B-PER
lives O
in O
New B-LOC
York I-LOC

Bob O
sleeps O
===
=== other.txt
Anna B-PER
lives O

Bob O
===
$ rethink score conll --ref ref.txt --hyp hyp.txt
{"LOC.f1":100.0,"LOC.precision":100.0,"LOC.recall":100.0,"PER.f1":66.66666666666667,"PER.precision":100.0,"PER.recall":50.0,"accuracy":85.71428571428571,"f1":80.0,"precision":100.0,"recall":66.66666666666667}

$ rethink score conll --ref ref.txt --hyp other.txt
other.txt:1: this sentence has other words than ref.txt:1; expected the same words in the same order
[exit 2]

# conlleval's own form has the right tag before the predicted one, with any columns between them and the word.
=== both.txt
Anna NNP B-PER B-PER
lives VBZ O O
in IN O O
New NNP B-LOC B-LOC
York NNP I-LOC I-LOC

Bob NNP B-PER O
sleeps VBZ O O
===
$ rethink score conll --hyp both.txt | cut -d, -f7-
"accuracy":85.71428571428571,"f1":80.0,"precision":100.0,"recall":66.66666666666667}

$ rethink score conll --ref both.txt --ref-column 3 --hyp hyp.txt --hyp-column 2 | cut -d, -f7-
"accuracy":85.71428571428571,"f1":80.0,"precision":100.0,"recall":66.66666666666667}

$ rethink score conll --hyp hyp.txt 2>&1 | head -1
hyp.txt:1:1: error: got 'Anna B-PER', expected a word and two tags, the right one and the predicted one, in its last columns

$ rethink score conll --ref both.txt --ref-column 1 --hyp hyp.txt
--ref-column: got '1', expected a column's number, 2 or more
[exit 2]

=== joined.txt
Anna B-PER
lives O
in O
New B-LOC
York I-LOC
Bob O
sleeps O
===
$ rethink score conll --ref ref.txt --hyp joined.txt
joined.txt:1: the sentence at ref.txt:1 ends at another word; put the empty lines of both files between the same words
[exit 2]

# The message names a probably wrong column of right tags, and a file that is scored against itself.
$ rethink score conll --ref both.txt --hyp hyp.txt 2>&1 >/dev/null
note: both.txt: the last two columns tag the same kinds of entities; the last is used as the reference; --ref-column N chooses another

$ rethink score conll --ref ref.txt --hyp ref.txt 2>&1 >/dev/null
note: ref.txt was scored against itself: --ref and the predictions are one file

$ : > empty.txt; rethink score conll --ref ref.txt --hyp empty.txt
empty.txt: is empty; expected a word and its tag in each line
[exit 2]

# GermEval's form has a number before the word, and comments.
=== numbered.txt
# source 2010
1	Anna	B-PER	O
2	lives	O	O
3	in	O	O
4	New	B-LOC	O
5	York	I-LOC	O

# source 2011
1	Bob	B-PER	O
2	sleeps	O	O
===
$ rethink score conll --ref numbered.txt --ref-column 3 --hyp hyp.txt | cut -d, -f7-
"accuracy":85.71428571428571,"f1":80.0,"precision":100.0,"recall":66.66666666666667}

# Other lines may have more or fewer columns than the first one.
=== first.txt
Anna NNP B-PER
lives O
in O
New B-LOC
===
$ rethink score conll --ref ref.txt --hyp first.txt 2>&1 | head -1
first.txt:1:1: error: got 3 columns, expected 2 as in line 2 and 2 others

# If no entity is right, another column was intended, or the kinds have another case.
=== embedded.txt
1	Anna	B-PER	O
2	lives	O	O
3	in	O	O
4	New	B-LOC	B-LOCpart
5	York	I-LOC	O

1	Bob	B-PER	O
2	sleeps	O	O
===
$ rethink score conll --ref embedded.txt --hyp hyp.txt 2>&1 >/dev/null; rethink score conll --ref hyp.txt --hyp embedded.txt 2>&1 >/dev/null
note: no entity of hyp.txt is right; column 3 of embedded.txt would give F1 80.00: --ref-column 3
note: no entity of embedded.txt is right; column 3 of embedded.txt would give F1 80.00: --hyp-column 3
$ sed 's/LOC/loc/; s/PER/per/' hyp.txt > small.txt; rethink score conll --ref ref.txt --hyp small.txt 2>&1 >/dev/null
note: no entity of small.txt is right; kinds of entities are compared as they are written, and 'loc' and 'LOC' differ in case alone; write them alike
$ sed 's/ .*/ O/' hyp.txt > none.txt; rethink score conll --ref ref.txt --hyp none.txt 2>&1 >/dev/null
$ sed 's/LOC/ORG/; s/PER/ORG/' hyp.txt > other.txt; rethink score conll --ref ref.txt --hyp other.txt 2>&1 >/dev/null
