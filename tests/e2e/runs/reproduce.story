# One command trains the missing trials of a folder of tables, and writes all tables; the same command continues.
=== mine.yaml
sweep: mine
description: which rate is best
seeds: [0, 1]
stages:
  train: {job: noop, steps: 3, cases: {rate: {1: {tag: a}, 2: {tag: b}}}}
  from_weights: {job: noop, steps: 3, needs: {init: {file: weights/none}}, cases: {rate: {1: {tag: c}}}}
profiles:
  smoke: {}
  large: {stages.train: {steps: 5}}
===
=== plots/tables/mine/table1.yaml
table: mine/table1
title: Scores by rate
sweep: mine.yaml
stage: train
metric: dev/score@last
rows: {axis: rate, order: [1, 2]}
columns: [{label: score}]
direction: max
seeds: 2
===
$ sed 's/table1/table2/; s/stage: train/stage: from_weights/; s/order: .*/order: [1]}/' plots/tables/mine/table1.yaml >plots/tables/mine/table2.yaml

=== plots/claims/mine.yaml
claims: mine
list:
  - {claim: more, says: 2 beats 1, table: mine/table1, test: better, row: 2, than: 1}
===
$ rethink reproduce mine --quiet
mine, profile smoke (the default)
left out, since data or weights are missing: weights/none by `make weights` or `rethink import`
nothing can be trained here for table mine/table2
4 trials to run
  time of one slot: unknown until a similar trial is done
  disk: unknown until a similar trial is done; <any> are free
not complete: table mine/table2: 1 of 1 cells need data that is not here; <any>
out/index.html
[exit 1]

$ cd out && find . -type f | sort
./claims/mine.csv
./claims/mine.md
./index.html
./report.html
./tables/mine/table1.csv
./tables/mine/table1.md
./tables/mine/table1.tex
./tables/mine/table2.csv
./tables/mine/table2.md
./tables/mine/table2.tex

$ head -n 1 out/tables/mine/table1.md
<any>Scores by rate. Smoke test of the wiring; its numbers mean nothing

$ grep -c 'need data that is not here' out/index.html
1

$ grep '<code>' out/index.html
<p>Values are missing. The same command, in the same folder, trains what can be trained and writes this page again: <code>rethink reproduce mine --quiet</code></p>

$ grep -c 'which rate is best' out/report.html
1

# Done trials do not run again, and all requested tables are complete.
$ rethink reproduce mine --only table1 --profile smoke
mine, profile smoke
out/index.html

$ grep '<code>' out/index.html
<p>This command wrote this page: <code>rethink reproduce mine --only table1 --profile smoke</code></p>

$ rethink query "select count(*) from attempt" --format csv | tail -n 1
4

# Another profile has other trials.
$ rethink reproduce mine --only table1 --profile large --out large --quiet
mine, profile large
4 trials to run
  time of one slot: unknown until a similar trial is done
  disk: unknown until a similar trial is done; <any> are free
large/index.html

$ rethink reproduce mine --only table3
--only: got 'table3', which is not a table or figure of mine; did you mean 'table1'?; expected some of: mine, table1, table2, tables, figures, claims
[exit 2]

$ rethink reproduce mine --only figurs
--only: got 'figurs', which is not a table or figure of mine; did you mean 'figures'?; expected some of: <any>
[exit 2]

$ rethink reproduce yours
no paper is called 'yours', and no table, figure or claims lie below yours/; expected all, <any>
[exit 2]

# A sweep that cannot run on this machine is left out; if no sweep can, the command says so.
=== gpu.yaml
sweep: gpu
seeds: [0, 1]
stages:
  train: {job: noop, steps: 3, cases: {rate: {1: {tag: d}}}, resources: {threads: 4000}}
profiles:
  smoke: {}
===
$ mkdir -p plots/tables/two && sed 's/table: .*/table: two\/a/' plots/tables/mine/table1.yaml >plots/tables/two/a.yaml && sed 's/table: .*/table: two\/b/; s/mine.yaml/gpu.yaml/; s/order: .*/order: [1]}/' plots/tables/mine/table1.yaml >plots/tables/two/b.yaml
$ rethink reproduce two --quiet --store new
two, profile smoke (the default)
left out: <any>gpu.yaml:4:83: error: 'resources.threads': got 4000, expected at most <any>
...
nothing can be trained here for table two/b
4 trials to run
  time of one slot: unknown until a similar trial is done
  disk: unknown until a similar trial is done; <any> are free
not complete: table two/b: 2 of 2 trials are not done
note: out/index.html listed other tables and figures and was replaced; their files stay, and --out DIR keeps a page of each
out/index.html
[exit 1]
$ rethink reproduce two --quiet --only b
...
[exit 2]

# A profile that no sweep has is refused before anything is written: the previous page stays.
$ rethink reproduce mine --quiet --profile lage --out large
--profile: got 'lage', which no sweep of these tables and figures has; did you mean 'large'?; profiles: large, smoke; --profile '' takes the sweeps as they are written
[exit 2]

$ rethink report mine --profile lage --out slip
--profile: got 'lage', <any>
[exit 2]

$ ls -d slip; grep -q 'profile large' large/index.html && echo kept
<any>slip<any>No such file or directory
kept

# If only sweeps of other tables have the profile, these are named.
=== sweeps/tried.yaml
sweep: tried
stages: {train: {job: noop}}
profiles: {lage: {}}
===
$ rethink reproduce mine --quiet --profile lage --out large
--profile: got 'lage', which no sweep of these tables and figures has; sweeps that have it: tried; profiles: large, smoke; <any>
[exit 2]

# Without a profile, sweeps are used as written if none has the usual profile.
=== plain.yaml
sweep: plain
seeds: [0, 1]
stages:
  train: {job: noop, steps: 3, cases: {rate: {1: {tag: a}, 2: {tag: b}}}}
===
$ mkdir plots/tables/plain && sed 's/mine/plain/' plots/tables/mine/table1.yaml >plots/tables/plain/table1.yaml; rethink reproduce plain --quiet --out plain
plain, no profile: none was given, and no sweep has smoke
plain/index.html

$ rethink reproduce plain --quiet --out plain --profile ''
plain, no profile
plain/index.html

# Trials that only the claims need run, too.
$ rethink reproduce mine --quiet --only claims --store of_claims --out of_claims
mine, profile smoke (the default)
4 trials to run
...
of_claims/index.html

$ rethink query "select count(*) from attempt" --format csv --store of_claims | tail -n 1
4

# A limit of trials is no part of the command that completes the page.
$ rethink reproduce mine --quiet --only table1 --store none --out none --max-trials 0 2>/dev/null; grep -o 'The same command.*again' none/index.html
none/index.html
The same command without --max-trials, in the same folder, trains what can be trained and writes this page again
