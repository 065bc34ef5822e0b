# Trials that are not done are in no mean: notes count them, and each can be shown by itself.
=== s.yaml
sweep: s
seeds: [0, 1]
stages:
  train: {job: noop, steps: 4, cases: {arm: {whole: {tag: a}, part: {tag: b}, late: {tag: c, fail_at: 3}}}}
===
$ rethink run s.yaml --quiet 2>/dev/null
[exit 1]
$ rethink run s.yaml --seeds 7 --set stages.train.fail_at=1 --quiet --store new 2>/dev/null
[exit 1]
$ rethink query --show dev/score --store new
unknown metric 'dev/score'; known: none
[exit 2]
$ rethink retry s --store new >/dev/null; for words in 'query --show dev/score' 'query --show mean(score)' 'query --where dev/score@last>1' 'curve dev/score'; do rethink $words --store new; done
no trial has measured dev/score yet; trial <id>, which is unfinished, will: `rethink show <id> --store new` shows its progress
no trial has measured score yet; trial <id>, which is unfinished, will: `rethink show <id> --store new` shows its progress
no trial has measured dev/score@last yet; trial <id>, which is unfinished, will: `rethink show <id> --store new` shows its progress
no trial has measured dev/score yet; trial <id>, which is unfinished, will: `rethink show <id> --store new` shows its progress
[exit 2]
$ rethink query --show dev/scor --store new
unknown metric 'dev/scor'; known: none
[exit 2]
$ rethink run s.yaml --seeds 2 --set stages.train.fail_at=2 --quiet 2>/dev/null
[exit 1]
$ rethink query --where 'not arm=late' --by arm --show 'n(train/loss), mean(train/loss), n, n(dev/score)' --format csv
arm,n(train/loss),mean(train/loss),n,n(dev/score)
part,2,<n>,2,2
whole,2,<n>,2,2
note: 2 trials are not done and were left out of the means: 2 failed; `rethink status` lists them
$ rethink query --where 'arm=late' --by arm --show 'mean(train/loss), n' --format csv --quiet
arm,mean(train/loss),n
late,,0
$ rethink query --where 'arm=late and seed=0' --show 'state, train/loss' --format csv
trial,state,train/loss
<id>,failed,<n>
$ rethink curve train/loss --by arm --format csv 2>notes | cut -d, -f 1,2,4; cat notes
curve,step,trials
late,1,3
late,2,2
part,1,2
part,2,2
part,3,2
part,4,2
whole,1,2
whole,2,2
whole,3,2
whole,4,2
...
note: 2 trials are not done and were left out of the curves: 2 failed; `rethink status` lists them
note: curves without a done trial show unfinished trials: 3 failed
...

# Trials that may run again are ready: only `status --all` lists them.
$ rethink retry s >/dev/null; rethink query --where 'not arm=late' --by arm --show 'mean(train/loss), n' --format csv 2>&1 | tail -n 1
note: 2 trials are not done and were left out of the means: 2 <any>; `rethink status --all` lists them
