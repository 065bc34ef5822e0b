# A look at a claim stays on record: other rules, lost trials and a second store cannot repeat it.
=== s.yaml
sweep: s
seeds: [0, 1, 2, 3, 4]
stages:
  train: {job: noop, grid: {tag: [a, b]}}
profiles:
  lucky: {seeds: [5, 6, 7, 8, 9]}
=== plots/tables/t.yaml
table: t
title: T
sweep: s.yaml
stage: train
metric: dev/score@last
rows: {axis: tag}
columns: [{label: x, direction: max}]
=== plots/claims/c.yaml
claims: c
looks: {5: 0.025, 8: 0.025}
fixed: 2020-01-01
list:
  - {claim: one, says: s, table: t, test: better, row: a, than: b}
===
$ rethink run s.yaml --quiet && for time in first second; do rethink claims c --format csv | tail -n 1; done
c,one,undecided,<any>,the look at 8 seeds: 5 are planned,,t,true,5,5,0.0,<any>,0.975,<any>,1.0,,,better,x,a,b,0.0,0.025,<any>
c,one,undecided,<any>,the look at 8 seeds: 5 are planned,,t,true,5,5,0.0,<any>,0.975,<any>,1.0,,,better,x,a,b,0.0,0.025,<any>
$ ls store/looks | wc -l; grep -o '"verdict":"[a-z]*"' store/looks/*
1
"verdict":"undecided"
$ rethink claims c --set stages.train.sleep_ms=1 --format csv | grep -o 'the look at 5 seeds of.*recorded'; ls store/looks | wc -l
s: 10 of 10 trials done under the file's own settings: rethink claims c
the look at 5 seeds of <any> said 'undecided'; looks with other choices are not recorded
1
$ rethink claims c --profile lucky --format csv | grep -o 'the look at 5 seeds of[^,]*'; ls store/looks | wc -l
s: 10 of 10 trials done under the file's own settings: rethink claims c
the look at 5 seeds of <any> without a profile said 'undecided'
1

# A trial is missing.
$ cp -rL store less && rethink rm --yes --quiet --store less $(rethink query 'select id from trial order by id limit 1' --format csv | tail -n 1) && rethink claims c --store less --format csv | tail -n 1
<any>
c,one,undecided,seeds,s,"'a' <any> over 5 seeds)",the look at 8 seeds: 5 are planned,,t,false,5,5,0.0,<any>,0.975,<any>,1.0,,the look at 5 seeds of <any>: values behind it are missing by now,better,x,a,b,0.0,0.025,<any>

# The rule differs.
$ sed -i 's/better/better, smallest: 0.5/' plots/claims/c.yaml && rethink claims c --format csv | tail -n 1 | grep -o 'the look at.*by.*'
the look at 8 seeds: 5 are planned,,t,true,5,5,0.5,<any>,<any>the look at 5 seeds of <any> said 'undecided' by another rule (smallest: 0, now 0.5)<any>,better,x,a,b,0.0,0.025,<any>
$ ls store/looks | wc -l
2

# Both looks stay without the trials.
$ rethink rm --yes s && rethink claims c --format csv | tail -n 1 | grep -o 'the look at 5 seeds of.*'; ls store/looks | wc -l
removed sweep s, 10 trials, <any>
the look at 5 seeds of <any>: values behind it are missing by now; the look at 5 seeds of <any> said 'undecided' by another rule (smallest: 0, now 0.5)<any>,better,x,a,b,0.0,0.025,<any>
2

$ rethink db merge store --store other; diff -r store/looks other/looks
0 trials added, 0 already known, 0 unfinished or running; 0 sweeps changed; 2 looks at claims added

$ sed -i 's/undecided/fails/' store/looks/* && rethink claims c
store/looks/<any>.json is damaged (its checksum does not fit what it says); it records the result of a look at a claim: restore it from a backup, or remove it, and the next `rethink claims` takes that look again
[exit 2]
$ rethink db check
store/looks/<any>.json is damaged (its checksum does not fit what it says); it records the result of a look at a claim: restore it from a backup, or remove it, and the next `rethink claims` takes that look again
store/looks/<any>.json is damaged <any>
[exit 1]
