# Entities as conlleval counts them: of three in the reference two are found, and nothing else.
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
