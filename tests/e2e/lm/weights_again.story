# Weights that were not kept and that a later sweep reads are made again with the same bits; only they are read.
=== alone.yaml
sweep: alone
seeds: [0]
stages:
  lm:
    job: lm
    data: {dataset: synthetic_language}
    model: {preset: bet_lm, layers: 1, d_model: 16, ffn: 32}
    batch: 16
    steps: 6
    evaluate: {splits: [dev]}
===
=== with_child.yaml
sweep: with_child
seeds: [0]
stages:
  lm:
    job: lm
    data: {dataset: synthetic_language}
    model: {preset: bet_lm, layers: 1, d_model: 16, ffn: 32}
    batch: 16
    steps: 6
    evaluate: {splits: [dev]}
  child: {job: noop, needs: {init: lm}}
===
$ rethink run alone.yaml --quiet

$ find store -name 'weights*'

$ rethink plan with_child.yaml
<any>
with_child lm                   1        1        0        0        0        1  under a minute of one slot, <any>
with_child child                1        1        0        0        0        1  time and disk unknown
<any>

to run
  <id>  lm seed=0: done, but files that another trial reads were not kept
  <id>  child seed=0: new

$ rethink run with_child.yaml --quiet

$ rethink query "select t.job, count(*) as attempts from attempt a join trial t on t.id = a.trial group by t.job order by t.job" --format csv
job,attempts
lm,2
noop,1

$ rethink run with_child.yaml --quiet --store together

$ for s in store together; do rethink query "select trial, score from runs where job = 'noop'" --format csv --store $s > $s.csv; done; cmp store.csv together.csv
