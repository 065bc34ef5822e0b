# A sweep that needs missing files says so once, and names the profile that does not need them.
=== needy.yaml
sweep: needy
seeds: [0]
stages:
  first: {job: noop}
  train: {job: noop, needs: {init: {file: weights/none}}, cases: {rate: {1: {tag: a}, 2: {tag: b}}}}
profiles:
  small: {stages.train: {needs: {init: first}}}
  large: {stages.train: {steps: 5}}
===
$ rethink plan needy.yaml
needy.yaml:5:36: error: weights/none does not exist; expected a folder <any>
...
profiles that can be planned here: --profile small
to run the trials whose data are here: --skip-missing-data
[exit 2]

$ rethink plan needy.yaml --profile small --check

# Stages that do not need the missing files run on request; the exit code says that the sweep is incomplete.
=== partly.yaml
sweep: partly
seeds: [0]
stages:
  train: {job: noop, steps: 2, cases: {rate: {1: {tag: a}, 2: {tag: b}}}}
  from_weights: {job: noop, needs: {init: {file: weights/none}}}
  after: {job: noop, needs: {init: from_weights}}
===
$ rethink run partly.yaml
partly.yaml:5:43: error: weights/none does not exist; expected a folder <any>
...
to run the trials whose data are here: --skip-missing-data
[exit 2]

$ rethink run partly.yaml --skip-missing-data --max-trials 1
...
partly.yaml: note: left out 2 trials, whose data or weights are missing: weights/none by `make weights` or `rethink import`
...
1 of 2 trials run, 1 left (--max-trials 1); the same command continues
[exit 1]

$ rethink plan partly.yaml --skip-missing-data --format json 2>/dev/null | grep -c from_weights
0
[exit 1]

$ rethink run partly.yaml --skip-missing-data --quiet
partly.yaml: note: left out 2 trials, whose data or weights are missing: weights/none by `make weights` or `rethink import`
[exit 1]

# If there are other faults, the option would not help.
$ rethink run partly.yaml --set stages.train.steps=many 2>&1 | grep -c skip-missing-data
0
[exit 1]

=== fine.yaml
sweep: fine
seeds: [0]
stages:
  train: {job: noop, cases: {rate: {1: {tag: a}, 2: {tag: b}}}}
===
=== plots/tables/fine.yaml
table: fine
sweep: fine.yaml
stage: train
metric: dev/score@last
rows: {axis: rate, order: [1, 2]}
columns: [{label: score}]
direction: max
seeds: 1
===
=== broken.yaml
sweep: broken
seeds: [0]
stages:
  train: {job: noop, steps: many, cases: {rate: {1: {tag: a}, 2: {tag: b}}}}
profiles:
  small: {stages.train: {steps: 2}}
===
$ for name in one two; do sed "s/^table: fine/table: $name/; s/fine.yaml/broken.yaml/" plots/tables/fine.yaml >plots/tables/$name.yaml; done
=== plots/claims/c.yaml
claims: c
list:
  - {claim: of_fine, says: 2 beats 1, table: fine, test: better, row: 2, than: 1}
  - {claim: of_one, says: 2 beats 1, table: one, test: better, row: 2, than: 1}
  - {claim: of_two, says: 2 beats 1, table: two, test: better, row: 2, than: 1}
===
$ rethink claims c
left out tables one, two, all for the same reason:
  <any>steps<any>
  profiles that can be planned here: --profile small
claims: what the papers say, and whether it holds here
...
c: 0 hold, 0 fail, 1 undecided (1 waits for trials)

2 claims wait for tables that cannot be made: of_one, of_two
[exit 2]

# A table exists even if the contents of a file are unknown.
$ sed "s/^table: fine/table: needy/; s/fine.yaml/needy.yaml/" plots/tables/fine.yaml >plots/tables/needy.yaml
$ rethink table needy --format csv
table,profile,row,column,<any>
needy,,1,score,dev/score@last,,,sd,0,1,0,,,,,,,,,needs data,,,,
needy,,2,score,dev/score@last,,,sd,0,1,0,,,,,,,,,needs data,,,,
[exit 1]

# The shell offers its rows, too.
$ rethink completion words -- why one ''
1
2
