# A number of a table, from the store to the claim, the page, and back to the trial behind it.
=== rates.yaml
sweep: rates
seeds: [0, 1]
stages:
  train:
    job: noop
    steps: 3
    cases:
      rate:
        1: {tag: a}
        2: {tag: b}
profiles:
  smoke: {seeds: [0], stages.train: {only: {rate: [1]}}}
===
=== plots/tables/rates.yaml
table: rates
sweep: rates.yaml
stage: train
metric: dev/score@last
rows: {axis: rate, order: [1, 2]}
columns: [{label: score}]
direction: max
seeds: 2
test: {baseline: 1}
paper: {1: {score: 0.7}, 2: {score: 0.8}}
===
=== plots/claims/rates.yaml
claims: rates
list:
  - {claim: second_better, says: 2 beats 1, source: Table 1, table: rates, test: better, row: 2, than: 1}
  - {claim: third, says: 2 is not much worse, table: rates, test: not_worse, margin: 5, row: 2, than: 1}
===
# Nothing has run: everything says so, and nothing is passed off as whole.
$ rethink table rates --format csv
table,profile,row,column,value_name,value,spread,spread_kind,n,planned,diverged,paper,difference,delta,delta_low,delta_high,paper_delta,p,marks,trials
rates,,1,score,dev/score@last,,,sd,0,2,0,0.7,,,,,,,missing,<id>;<id>
rates,,2,score,dev/score@last,,,sd,0,2,0,0.8,,,,,0.1000000000000000<any>,,missing,<id>;<id>
[exit 1]

$ rethink claims rates --format csv
claim,verdict,says,why,source,table,complete
second_better,undecided,2 beats 1,needs 2 seeds that both rows have; there are 0; trials are missing,Table 1,rates,false
third,undecided,2 is not much worse,needs 2 seeds that both rows have; there are 0; trials are missing,,rates,false
[exit 1]

$ rethink why rates 2 score
rates, row 2, column score: no number, 0 of 2 seeds
  value: dev/score@last
  paper: 0.8
  missing: 2 of 2 seeds missing

trial <id>: not in this store, it has yet to run

trial <id>: not in this store, it has yet to run
[exit 1]

$ rethink report rates
not complete: claims rates: 2 of 2 claims wait for trials
not complete: table rates: 4 of 4 trials are not done
out/report.html
[exit 1]

# A smoke run never leaks into the paper's table; what its profile leaves out is said.
$ rethink table rates --profile smoke --run --quiet
rates

                         score ↑
       ours  paper  ours - paper
────────────────────────────────
1  0.64 [a]    0.7         -0.06
────────────────────────────────
[a] too few seeds: 1 of 2 seeds wanted
not shown, as none of their trials are planned: 1 of 2 rows (2); to see them: rethink table rates --profile smoke --unplanned
profile smoke; one seed, so without a spread; Δ: difference to 1

$ rethink table rates --profile smoke --quiet --unplanned
rates

                                         score ↑
              ours  paper  ours - paper  Δ paper
────────────────────────────────────────────────
1         0.64 [a]    0.7         -0.06
2  not planned [b]    0.8                  +0.10
────────────────────────────────────────────────
[a] too few seeds: 1 of 2 seeds wanted
[b] not planned: left out by the sweep, its profile or the options given
profile smoke; one seed, so without a spread; Δ: difference to 1

$ rethink table rates --profile smoke --quiet --format csv | cut -d, -f3,5-6,19
row,value_name,value,marks
1,dev/score@last,0.63<any>,too few seeds
2,dev/score@last,,not planned

$ rethink table rates --run --quiet
rates

                                             score ↑
          ours  paper  ours - paper  Δ ours  Δ paper
────────────────────────────────────────────────────
1  0.77 ± 0.19    0.7         +0.07
2  0.23 ± 0.12    0.8         -0.57   -0.54    +0.10
────────────────────────────────────────────────────
no profile; mean ± standard deviation over 2 seeds; Δ: difference to 1
nothing differs from 1 with p < 0.05 (paired t-test over seeds)
2 seeds: no two-sided p by permutation is below 0.5; the spec's test: {kind: paired_bootstrap} compares over test items instead

$ rethink claims rates --format csv
claim,verdict,says,why,source,table,complete
second_better,undecided,2 beats 1,<any> by <n><any>95% interval <any>2 seeds<any>,Table 1,rates,true
third,<any>,2 is not much worse,<any>margin 5<any>,,rates,true

$ rethink why rates 2 score
rates, row 2, column score: <n> ± <n> (sd), 2 of 2 seeds
  value: dev/score@last
  paper: 0.8
  difference to 1: <n>
  p against the baseline, corrected: <n>
  seed 0: <n>
  seed 1: <n>

trial <id>: done, job noop, seed 0
  sweep rates, no profile, stage train: rate=2
  attempt 1: done<any>
    log: store/trials/<id>/attempt-1/log
  configuration:
...
    tag: b

trial <id>: done, job noop, seed 1
  sweep rates, no profile, stage train: rate=2
  attempt 1: done<any>
    log: store/trials/<id>/attempt-1/log
  configuration: that of <id>

$ rethink why rates 2 score --format json | grep '"row"\|"state"\|"log"\|"tag"\|"planned"'
    "planned": 2,
  "row": "2",
          "log": "store/trials/<id>/attempt-1/log",
        "tag": "b"
      "state": "done",
          "log": "store/trials/<id>/attempt-1/log",
        "tag": "b"
      "state": "done",

$ rethink why rates third score
the table has no row 'third'; it has: 1, 2
[exit 2]

$ rethink why $(rethink query --where 'rate=1 and seed=0' --format csv | tail -1 | cut -d, -f1)
trial <id>: done, job noop, seed 0
  sweep rates, no profile, stage train: rate=1
  sweep rates, profile smoke, stage train: rate=1
  attempt 1: done<any>
...

$ rethink query --by rate --show 'mean(score),mean(score@last),n' --format csv
rate,mean(score),mean(score@last),n
1,<n>,<n>,2
2,<n>,<n>,2

# One broken spec leaves the others.
=== plots/tables/broken.yaml
table: broken
===
=== plots/claims/broken.yaml
claims: broken
===
$ rethink table --all --format csv >tables.csv 2>errors; echo code $?; grep -c '^rates,' tables.csv; grep -c '^table,' tables.csv; grep '^left out broken' errors
code 2
2
1
left out broken: <any>broken.yaml<any>

$ rethink claims --format csv >claims.csv 2>errors; echo code $?; grep -c ',rates,true' claims.csv; grep '^left out broken' errors
code 2
2
left out broken: <any>broken.yaml<any>

$ rethink table broken
<any>broken.yaml<any>
...
[exit 2]

$ rm plots/tables/broken.yaml plots/claims/broken.yaml

# The page has what there is and says what it leaves out.
$ rethink report 2>errors
out/report.html
[exit 1]

$ grep -c '^not complete: table bet/diag_discount: left out: ' errors
1

$ grep rates errors
[exit 1]

$ grep -c 'id="rates"' out/report.html
1

$ grep -o 'src="[^"]*"\|href="[^"]*"' out/report.html
[exit 1]

# A page of one's own: what is named, or lies below a name.
$ rethink report rates
out/report.html

$ grep -c '<h2>' out/report.html
<n>

$ rethink report ratse
no claims, table or figure is called 'ratse' or lies below ratse/; there is: <any>rates<any>
[exit 2]

# Two documents after each other are none.
$ rethink table rates rates --format json
--format json: got 2 tables, but one after the other they are no valid json; name one, or give --out FOLDER for a file of each
[exit 2]
