# Trials behind the numbers of queries and curves: each counts once, whatever is shown.
=== c.yaml
sweep: c
seeds: [0, 1, 2]
stages:
  t: {job: noop, steps: 3, grid: {tag: [p, q]}}
=== d.yaml
sweep: d
seeds: [0, 1, 2]
stages:
  t: {job: noop, steps: 3, cases: {arm: {A: {tag: p}}}}
=== k.yaml
sweep: k
seeds: [0, 1, 2]
stages:
  t: {job: noop, steps: 3, grid: {tag: [p, q]}}
  b: {job: select, needs: {from: t}, over: [tag], by: dev/score}
  after: {job: noop, needs: {init: b}, steps: 2}
===
$ rethink run c.yaml --quiet && rethink run d.yaml --quiet
$ for more in '' ',n(arm)' ',n(profile)' ',n(sweep)'; do rethink query --show "mean(dev/score),sem(dev/score),n$more" --format csv --quiet | tail -n 1 | cut -d, -f 1-3; done | sort | uniq -c | sed 's/^ *//'
4 <n>,<n>,6
$ rethink query --where tag=p --show 'arm,sweep' --format csv | cut -d, -f 2-
arm,sweep
A,"c, d"
A,"c, d"
A,"c, d"
$ rethink query --by arm,tag --show n --format csv
arm,tag,n
,q,3
A,p,3
$ rethink query --show 'dev/score,n'
--show: 'dev/score' has a value for each trial, 'n' one value for all trials together; write mean(dev/score), or leave out n
[exit 2]
$ rethink query --show 'tag,mean(dev/score),n'
--show: 'tag' has a value for each trial, 'mean(dev/score)' one value for all trials together; group the trials with --by tag, or leave out mean(dev/score)
[exit 2]
$ rethink curve dev/score --by arm --format csv | cut -d, -f 1 | uniq
curve
A

# At most 100 names are shown.
$ list() { seq -s, $1 | sed 's/[0-9]\+/'"$2"'/g'; }; rethink query --by tag --show "$(list 100 'mean(dev\/score)')" --format csv --quiet | wc -l; rethink query --quiet --by "$(list 100 tag)" --format csv | wc -l; rethink curve dev/score --by "$(list 100 tag)" --format csv | wc -l
3
3
<n>
$ list() { seq -s, $1 | sed 's/[0-9]\+/'"$2"'/g'; }; rethink query --show "$(list 127 'mean(dev\/score)')"; rethink query --by "$(list 128 tag)"; rethink curve dev/score --by "$(list 128 tag)"; echo exit $?
--show: got 127 values, expected at most 100
--by: got 128 names, expected at most 100
--by: got 128 names, expected at most 100
exit 2

# Selects over different seeds may choose the same for a seed, which gives two trials of one configuration and seed.
$ rethink run k.yaml --seeds 0 --quiet --store k && rethink run k.yaml --quiet --store k
$ rethink query --where stage=after --by steps --show 'mean(dev/score),n' --format csv --store k
steps,mean(dev/score),n
2,<n>,4
note: 1 seed is in a mean several times: trials <id> and <id> have one configuration and seed 0, but differ in trials needed as init. A mean has 4 trials of 3 seeds, so n counts trials, and sd, sem and intervals are too small; leave out all but one with --where, as --where 'trial!=<id>'
