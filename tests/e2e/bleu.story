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

$ head -1 pred.txt > short.txt; rethink score bleu --ref ref.txt --hyp short.txt
short.txt has 1 lines, expected those of ref.txt, 2
[exit 2]

$ : > empty.txt; rethink score bleu --ref empty.txt --hyp empty.txt
empty.txt is empty
[exit 2]

$ rethink score bleu --ref ref.txt --hyp pred.txt --tokenize zh
--tokenize: got 'zh', expected 13a or none
[exit 2]

$ rethink score conll --ref ref.txt --hyp pred.txt --tokenize none
rethink score conll does not take --tokenize; bleu does
[exit 2]

$ rethink score bleu --ref ref.txt --pred pred.txt
<any>
[exit 2]
