# Syntax hints: trees are matched with a user's text, and attention learns from them.
=== text
The cat sleeps .
A line that no tree has .
The cat sleeps .
The dog barks loudly .
The cat sleeps .
The dog barks loudly .
===
=== cats.conllu
1	The	_	_	_	_	2	_	_	_
2	cat	_	_	_	_	3	_	_	_
3	sleeps	_	_	_	_	0	_	_	_
4	.	_	_	_	_	3	_	_	_
===
=== dogs.conllu
1	The	_	_	_	_	2	_	_	_
2	dog	_	_	_	_	3	_	_	_
3	barks	_	_	_	_	0	_	_	_
4	loudly	_	_	_	_	3	_	_	_
5	.	_	_	_	_	3	_	_	_
===
=== guided.yaml
sweep: guided
seeds: [0]
stages:
  lm:
    job: lm
    data: {dataset: text, path: text, lowercase: true, dev: 0.4, test: 0.2, hints: [cats.conllu, dogs.conllu]}
    model: {preset: bet_lm, layers: 2, d_model: 8, ffn: 8, attention: {kind: syntax_guided}}
    steps: 2
    batch: 2
    evaluate: {splits: [dev]}
===
$ rethink run guided.yaml --data . --store s
...
1 of 1 trials done
...
$ rethink query --store s "select name, case when value > 0.5 and value < 1 then 'most' end as share from measurement where name = 'hint_coverage'"
name           share
─────────────  ─────
hint_coverage  most
# The variant's own metrics are curves of the training.
$ rethink query --store s "select split, name, step from metric where name = 'pointer_loss'" --format csv
split,name,step
train,pointer_loss,2
$ rethink logs $(ls s/trials) --store s
== attempt 1
== start at step 0 <any>
info: syntax hints: of the training split's predicted tokens, <any> % are in sentences of the trees that data.hints names
...
$ rethink run guided.yaml --data . --store s --set data.hints='[]'
guided.yaml:7:78: error: got model.attention.kind: syntax_guided, data.hints: nothing; this attention learns from syntax hints: give files of dependency trees, data.hints: [FILE.conllu]
      model: {preset: bet_lm, layers: 2, d_model: 8, ffn: 8, attention: {kind: syntax_guided}}
                                                                               ^
[exit 2]
$ rethink run guided.yaml --data . --store s --set data.hints='[none.conllu]'
--set data.hints=[none.conllu]: error: data set 'text' needs ./none.conllu, which does not exist: `make trees` makes trees/wikitext_2.conllu and multi30k.en.conllu; or give 'hints[0]' a path relative to the file that contains it, or to the folder of data sets (--data or RETHINK_DATA), or an absolute one
[exit 2]
