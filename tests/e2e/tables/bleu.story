# BLEU of translations; the numbers are sacreBLEU 2.6.0's.
=== ref.txt
The cat sat on the mat.
It is 3.5 km away, isn't it?
===
=== pred.txt
The cat sat on a mat.
it is 3.5 km away, is it not?
===
$ rethink score bleu --ref ref.txt --hyp pred.txt
{"bleu":45.47912444166088,"brevity_penalty":1.0,"precision_1":76.47058823529412,"precision_2":53.333333333333336,"precision_3":38.46153846153846,"precision_4":27.272727272727273,"predicted_words":17,"reference_words":16}

$ rethink score bleu --ref ref.txt --hyp pred.txt --lowercase | grep -o '"bleu":[0-9.]*'
"bleu":53.66317845432247

$ rethink score bleu --ref ref.txt --hyp pred.txt --tokenize none | grep -o '"bleu":[0-9.]*'
"bleu":42.341975792369325

# These tokens of Moses' tokenizer are joined as in sacremoses 0.2.0.
=== tokens.ref.txt
It &apos;s a well @-@ known fact ( here ) , isn &apos;t it ?
&quot; She paid $ 5 , &quot; he said .
===
=== tokens.hyp.txt
It &apos;s the well @-@ known fact ( here ) , is it not ?
&quot; she paid $ 5 , &quot; he said .
===
$ rethink score bleu --ref tokens.ref.txt --hyp tokens.hyp.txt --detokenize en
{"bleu":60.767958081376904,"brevity_penalty":1.0,"precision_1":81.81818181818181,"precision_2":60.0,"precision_3":55.55555555555556,"precision_4":50.0,"predicted_words":22,"reference_words":21}

$ rethink score bleu --ref tokens.ref.txt --hyp tokens.hyp.txt --detokenize en --lowercase | grep -o '"bleu":[0-9.]*'
"bleu":70.84422107064646

$ rethink score bleu --ref tokens.ref.txt --hyp tokens.hyp.txt --detokenize de | grep -o '"bleu":[0-9.]*'
"bleu":59.65671315316045

$ rethink score bleu --ref tokens.ref.txt --hyp tokens.hyp.txt --detokenize en --tokenize none
--detokenize puts together the tokens that --tokenize none counts; leave out one of them
[exit 2]

$ rethink score bleu --ref tokens.ref.txt --hyp tokens.hyp.txt --detokenize fr
--detokenize: got 'fr', expected en or de
[exit 2]

# multi-bleu.perl -lc lower-cases bytes, so the first word is wrong; 13a finds no wrong word.
=== case.ref.txt
Ärzte HELFEN den Kindern heute
===
=== case.hyp.txt
ärzte helfen den kindern heute
===
$ rethink score bleu --ref case.ref.txt --hyp case.hyp.txt --lowercase --tokenize none
{"bleu":66.87403049764218,"brevity_penalty":1.0,"precision_1":80.0,"precision_2":75.0,"precision_3":66.66666666666667,"precision_4":50.0,"predicted_words":5,"reference_words":5}

$ rethink score bleu --ref case.ref.txt --hyp case.hyp.txt --lowercase | grep -o '"precision_1":[0-9.]*'
"precision_1":100.0

$ head -1 pred.txt > short.txt; rethink score bleu --ref ref.txt --hyp short.txt
short.txt has 1 line, expected as many as ref.txt has: 2
[exit 2]

$ : > empty.txt; rethink score bleu --ref empty.txt --hyp empty.txt
empty.txt: is empty; expected a reference translation in each line
[exit 2]

$ rethink score bleu --ref ref.txt --hyp empty.txt
empty.txt: is empty; expected a translation in each line, as many as ref.txt has: 2
[exit 2]

# Notes name facts that a score does not show.
$ rethink score bleu --ref ref.txt --hyp ref.txt 2>&1 >/dev/null
note: ref.txt was scored against itself: --ref and the predictions are one file

$ rethink score bleu --ref tokens.ref.txt --hyp tokens.hyp.txt 2>&1 >/dev/null
note: tokens.ref.txt: 1 line ends with ' .', as tokenized text does, which 13a tokenizes once more; give --detokenize en or de, or --tokenize none
note: tokens.hyp.txt: 1 line ends with ' .', as tokenized text does, which 13a tokenizes once more; give --detokenize en or de, or --tokenize none

$ { head -1 pred.txt; echo; } > half.txt; rethink score bleu --ref ref.txt --hyp half.txt 2>&1 >/dev/null
note: half.txt: 1 of 2 lines is empty

$ rethink score bleu --ref ref.txt --hyp pred.txt --tokenize zh
--tokenize: got 'zh', expected 13a or none
[exit 2]

$ rethink score conll --ref ref.txt --hyp pred.txt --tokenize none
rethink score conll does not take --tokenize; bleu does
[exit 2]

$ rethink score bleu --ref ref.txt --pred pred.txt
<any>
[exit 2]

# Pieces, and lines of other tools, are scored unchanged, with advice on what to do first.
=== make_pieces.sh
printf 'c@@ a@@ t sat on it\n' > pieces.bpe
printf '\342\226\201cat \342\226\201s at \342\226\201on\n' > pieces.spm
printf '<s> cat sat on it </s>\n' > marked.txt
printf 'H-1\t-0.1\tdog ran to me\nH-0\t-0.2\tcat sat on it\n' > fairseq.txt
printf 'cat sat on it\nan e-mail to a@@b\n' > plain.txt
===
$ sh make_pieces.sh; for file in pieces.bpe pieces.spm marked.txt fairseq.txt plain.txt; do cp $file ref; rethink score bleu --tokenize none --ref ref --hyp $file 2>&1 >/dev/null | grep -v '^note: ref'; done; true
note: pieces.bpe: lines with pieces of words, marked by subword-nmt's @@ (1 of 1) are scored as they are. To score text: sed -E 's/@@( |$)//g' pieces.bpe > NEW
note: pieces.spm: lines with pieces of words, marked by SentencePiece's ▁ (1 of 1) are scored as they are. To score text: sed 's/ //g; s/▁/ /g; s/^ //' pieces.spm > NEW
note: marked.txt: lines with a model's marks <s>, </s> or <pad> (1 of 1) are scored as they are. To score text: sed -E 's, *<(/?s|pad)>,,g; s/^ //' marked.txt > NEW
note: fairseq.txt: lines that begin as fairseq-generate's do, with H-0 and a tab (2 of 2) are scored as they are. To score text: grep '^H-' fairseq.txt | LC_ALL=C sort -V | cut -f3- > NEW

# The advised command works as printed.
$ sed -E 's/@@( |$)//g' pieces.bpe; sed 's/ //g; s/▁/ /g; s/^ //' pieces.spm; sed -E 's, *<(/?s|pad)>,,g; s/^ //' marked.txt; grep '^H-' fairseq.txt | LC_ALL=C sort -V | cut -f3-
cat sat on it
cat sat on
cat sat on it
cat sat on it
dog ran to me
