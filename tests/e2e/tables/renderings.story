# A number of a table, from the store to the claim and the page, and back to its trial.
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
# Nothing has run: every output says so, and nothing looks complete.
$ rethink table rates --format csv
table,profile,row,column,value_name,value,spread,spread_kind,n,planned,diverged,paper,paper_mark,difference,delta,delta_low,delta_high,paper_delta,p,marks,trials,test,second_test,second_p
rates,,1,score,dev/score@last,,,sd,0,2,0,0.7,,,,,,,,missing,<id>;<id>,paired_t,,
rates,,2,score,dev/score@last,,,sd,0,2,0,0.8,,,,,,0.1000000000000000<any>,,missing,<id>;<id>,paired_t,,
[exit 1]

$ rethink claims rates --format csv
file,claim,verdict,scope,says,why,decides,source,table,complete,seeds,planned_seeds,smallest,gain,low,high,level,p,q,paper,remarks,test,column,row,than,margin,alpha,gate,<any>
rates,second_better,undecided,seeds,2 beats 1,no seed has values of both; trials are missing,5 seeds (the fewest that give a verdict): 2 are planned,Table 1,rates,false,0,2,0.025<any>,,,,,,,0.8 against 0.7: as the claim has it by 0.1,,<any>
rates,third,undecided,seeds,2 is not much worse,no seed has values of both; trials are missing,5 seeds (the fewest that give a verdict): 2 are planned,,rates,false,0,2,0.0,,,,,,,"0.8 against 0.7: better by 0.1, and 5 worse would do",,<any>
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

# A smoke run never appears in the paper's table; a note names the parts that its profile leaves out.
$ rethink table rates --profile smoke --run --quiet
rates: Smoke test of the wiring; its numbers mean nothing

                     score ↑
   ours  paper  ours - paper
────────────────────────────
1  0.64    0.7         -0.06
────────────────────────────
not shown, as none of their trials are planned: 1 of 2 rows (2); to see them: rethink table rates --unplanned --profile smoke
profile smoke; one seed, so without a spread; Δ: difference to 1
too few seeds: got 1, wanted 2

$ rethink table rates --profile smoke --quiet --unplanned
rates: Smoke test of the wiring; its numbers mean nothing

                                         score ↑
              ours  paper  ours - paper  Δ paper
────────────────────────────────────────────────
1             0.64    0.7         -0.06
2  not planned [a]  ▸ 0.8                  +0.10
────────────────────────────────────────────────
[a] not planned: left out by the sweep, its profile or the options given
▸ best of its column
profile smoke; one seed, so without a spread; Δ: difference to 1
too few seeds: got 1, wanted 2

$ rethink table rates --profile smoke --quiet --format csv | cut -d, -f3,5-6,20
row,value_name,value,marks
1,dev/score@last,0.63<any>,too few seeds
2,dev/score@last,,not planned

$ rethink table rates --run --quiet
rates

                                               score ↑
            ours  paper  ours - paper  Δ ours  Δ paper
──────────────────────────────────────────────────────
1  ▸ 0.77 ± 0.19    0.7         +0.07
2    0.23 ± 0.12  ▸ 0.8         -0.57   -0.54    +0.10
──────────────────────────────────────────────────────
▸ best of its column
no profile; mean ± standard deviation over 2 seeds; Δ: difference to 1
nothing differs from 1 with p < 0.05 (paired t-test over seeds)
the t-test assumes normal differences; a permutation test, which does not, gives no p below 0.5 with 2 seeds

$ rethink claims rates --format csv
file,claim,verdict,scope,says,why,decides,source,table,complete,seeds,planned_seeds,smallest,gain,low,high,level,p,q,paper,remarks,test,column,row,than,margin,alpha,gate,<any>
rates,second_better,undecided,seeds,2 beats 1,"'2' <n>, '1' <n>: against the claim by <n> over 2 seeds",5 seeds (the fewest that give a verdict): 2 are planned,Table 1,rates,true,0,2,0.025<any>,,,,,,,0.8 against 0.7: as the claim has it by 0.1,,<any>
rates,third,undecided,seeds,2 is not much worse,"'2' <n>, '1' <n>: worse by <n>, within the margin of 5 over 2 seeds",5 seeds (the fewest that give a verdict): 2 are planned,,rates,true,0,2,0.0,,,,,,,"0.8 against 0.7: better by 0.1, and 5 worse would do",,<any>

# There are five seeds and one look, at the level of the claim.
$ rethink run rates.yaml --seeds 0..4 --quiet --store five; rethink claims rates --seeds 0..4 --format csv --store five
file,claim,verdict,scope,says,why,decides,source,table,complete,seeds,planned_seeds,smallest,gain,low,high,level,p,q,paper,remarks,test,column,row,than,margin,alpha,gate,<any>
rates,second_better,<any>,seeds,2 beats 1,"'2' <n>, '1' <n>: against the claim by <n> (95% interval <any> to <n>, p <n>, alpha 0.05, sd <n> over 5 seeds; smallest effect 0.025)",<any>,Table 1,rates,true,5,5,0.025<any>,<n>,<n>,<n>,0.95,<n>,<n>,0.8 against 0.7: as the claim has it by 0.1,,<any>
rates,third,holds,seeds,2 is not much worse,"'2' <n>, '1' <n>: worse by <n>, within the margin of 5 (95% interval <any> to <n>, p <any>, alpha 0.05, sd <n> over 5 seeds)",,,rates,true,5,5,0.0,<n>,<n>,<n>,0.95,<n>,<n>,"0.8 against 0.7: better by 0.1, and 5 worse would do",,<any>

# A gate decides first: at this scale 1 is not surely above 2, so claims about them do not count.
$ printf 'claims: gated\ngates: {worth: {table: rates, row: 2, than: 1}}\nlist:\n  - {claim: c, says: s, table: rates, test: better, row: 1, than: 2, gate: worth}\n' > plots/claims/gated.yaml; rethink claims gated --seeds 0..4 --store five --format csv | tail -n 1
gated,c,not at this scale,seeds,s,"its gate is closed on score: '2' is worse than '1' by <n> (95% interval <any> to <n> of the difference); '1' <n>, '2' <n>: as the claim has it by <n> (95% interval <any>)",<any>,0.7 against 0.8: against the claim by 0.1,<any>
$ sed -i 's/row: 2, than: 1}}/row: 3, than: 1}}/' plots/claims/gated.yaml; rethink claims gated --seeds 0..4 --store five
<any>table rates has no row '3'<any>
...
[exit 2]
$ rm plots/claims/gated.yaml

$ rethink claims rates --seeds 0..4 --store five | tail -n 3
verdicts rest on 5 seeds
among verdicts with q at most 0.05, at most 5 % are expected to be false, if the tests are independent or depend on each other positively
rates: <n> hold<any>, <n> fail<any>, <n> undecided

$ rethink why rates 2 score
rates, row 2, column score: <n> ± <n> (sd), 2 of 2 seeds
  value: dev/score@last
  paper: 0.8
  difference to 1: <n>
  p against the baseline (paired_t, corrected): <n>
  seed 0: <n>
  seed 1: <n>

trial <id>: done, job noop, seed 0
  sweep rates, no profile, stage train: rate=2
  attempt 1: done<any>
    log: nothing was printed
  configuration:
...
    tag: b

trial <id>: done, job noop, seed 1
  sweep rates, no profile, stage train: rate=2
  attempt 1: done<any>
    log: nothing was printed
  configuration: that of <id>

$ rethink why rates 2 score --format json | grep '"row"\|"state"\|"log"\|"tag"\|"planned"'
    "planned": 2,
  "row": "2",
          "log": null,
        "tag": "b"
      "state": "done",
          "log": null,
        "tag": "b"
      "state": "done",

$ rethink why rates third score
the table has no row 'third'; it has: 1, 2
[exit 2]

$ rethink why rates
rethink why rates: expected a row and a column behind it
rows: 1, 2
columns: score
for example: rethink why rates 1 score
[exit 2]

# These are the shell's completions of rows and columns.
$ rethink completion words -- why rates ''
1
2

$ rethink completion words -- why rates 1 ''
score

$ rethink why rates 1 --profile smoke 2>&1 | tail -n 1
for example: rethink why rates 1 score --profile smoke

$ rethink why ratse
there is no table 'ratse'; did you mean 'rates'?<any>
[exit 2]

# The mean is over more than seeds, so the parts are shown one by one.
=== plots/tables/means.yaml
table: means
sweep: rates.yaml
stage: train
metric: dev/score@last
rows: {axis: rate}
columns: [{label: score}, {label: again, metric: dev/score@last}, {label: mean, mean_of: [score, again]}]
===
=== plots/tables/over.yaml
table: over
sweep: rates.yaml
stage: train
metric: dev/score@last
over: [rate]
rows: [{label: all}]
columns: [{label: score}]
===
$ rethink why means 2 mean | sed 's/  */ /g; s/ $//'
means, row 2, column mean: <n> ± <n> (sd), 2 of 2 seeds
...
part seed 0 trial seed 1 trial
<any>
score <n> <id> <n> <id>
again <n> <id> <n> <id>

more of one: rethink why means 2 score, or rethink why TRIAL

$ rethink why over all score | sed 's/  */ /g; s/ $//'
over, row all, column score: <n> ± <n> (sd), 2 of 2 seeds
...
rate=1 <n> <id> <n> <id>
rate=2 <n> <id> <n> <id>

more of one: rethink why TRIAL

# An unknown name of a table is an error; for an unknown measurement the known ones are listed.
=== plots/claims/slip.yaml
claims: slip
list:
  - {claim: c, says: s, table: ratse, test: better, row: 2, than: 1}
===
=== plots/tables/slow.yaml
table: slow
sweep: rates.yaml
stage: train
rows: {axis: rate}
columns: [{label: seconds, measurement: attempt_ss, direction: min}]
===
=== plots/claims/slow.yaml
claims: slow
list:
  - {claim: c, says: s, table: slow, test: better, row: 2, than: 1}
===
$ rethink claims slip
<any>slip.yaml:3:<n>: error: table: there is no table 'ratse'; did you mean 'rates'?<any>
...
[exit 2]

$ rethink table slow | grep -o 'no trial of stage.*'
no trial of stage 'train' has recorded measurement 'attempt_ss'; did you mean 'attempt_s'?; recorded are: <any>attempt_s<any>

$ rethink claims slow --format csv
file,claim,verdict,scope,says,why,decides,source,table,complete,seeds,planned_seeds,smallest,gain,low,high,level,p,q,paper,remarks,test,column,row,than,margin,alpha,gate,<any>
slow,c,undecided,seeds,s,"'2', '1': no trial of stage 'train' has recorded measurement 'attempt_ss'; <any>",5 seeds (the fewest that give a verdict): 2 are planned,,slow,false,0,2,0.0,,,,,,,,,<any>
[exit 1]

$ rm plots/claims/sl* plots/tables/slow.yaml plots/tables/means.yaml plots/tables/over.yaml

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

# A broken spec does not affect the others.
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

=== noprofile.yaml
sweep: noprofile
stages:
  train: {job: noop, steps: 1}
===
=== plots/tables/noprofile.yaml
table: noprofile
sweep: noprofile.yaml
stage: train
metric: dev/score@last
rows: [{label: all}]
columns: [{label: score}]
direction: max
seeds: 1
===
# Sweeps may have different profiles: a table is left out if its sweep lacks the profile of the others. If no sweep has the profile, it is a mistake.
$ rethink table noprofile rates --profile smoke --format csv >tables.csv 2>errors; echo code $?; grep -c '^rates,' tables.csv; cat errors
code 1
2
left out noprofile: <any>noprofile.yaml: error: no profile 'smoke'; profiles: none

$ rethink table noprofile rates --profile smok --format csv >tables.csv 2>errors; echo code $?; cat errors
code 2
left out noprofile: <any>no profile 'smok'<any>
<any>no profile 'smok'<any>

$ rm plots/tables/noprofile.yaml noprofile.yaml

# The page has the existing parts and names those that it leaves out.
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

# A page of a user's choice: the named parts, or those below a name.
$ rethink report rates
out/report.html

$ grep -c '<h2>' out/report.html
<n>

$ grep -o '<h1>.*\|<th scope="row">\(chosen\|store\|trials done in it\|newest result\|claims\)</th>.*' out/report.html
<h1>rethink report: rates</h1>
<th scope="row">chosen</th><td class="words">no profile</td></tr>
<th scope="row">store</th><td class="words">store</td></tr>
<th scope="row">trials done in it</th><td class="words"><n></td></tr>
<th scope="row">newest result</th><td class="words">20<any>Z</td></tr>
<th scope="row">claims</th><td class="words">rates: <n> hold<any>, <n> fail<any>, <n> undecided</td></tr>

# All planned trials are done; a part without planned trials is not missing.
=== plots/figures/second.yaml
figure: second
kind: curves
sweep: rates.yaml
stage: train
metric: dev/score
x: {label: steps}
y: {label: score}
series: [{label: two, where: {rate: 2}}]
===
$ rethink report rates second --profile smoke
left out: figure second: the profile or the options given leave out all of it
out/report.html

$ grep -c '<li>figure second: the profile or the options given leave out all of it</li>' out/report.html
1

$ rethink report rates --profile none
--profile: got 'none', which no sweep of these tables and figures has; profiles: <any>; --profile '' takes the sweeps as they are written
[exit 2]

$ rethink report ratse
no claims, table, figure or sweep is called 'ratse' or lies below ratse/; there is: <any>rates<any>
[exit 2]

# Two tables of one name would replace each other's file, so the one elsewhere is left out. Both can be printed.
$ mkdir plots/tables/a && sed 's/rates, order: .1, 2./rate/; s/label: score/label: other/; s/score: 0/other: 0/g' plots/tables/rates.yaml > plots/tables/a/copy.yaml
$ rethink table a/copy rates --out out --format csv --quiet | grep -c other; cat out/tables/rates.csv | cut -d, -f4 | sort -u
left out a/copy: <any>plots/tables/a/copy.yaml: table 'rates' has the name of the table in <any>plots/tables/rates.yaml, and would replace its output; rename one of them
0
column
score
$ rethink table a/copy --out out --format csv --quiet
left out a/copy: <any>
[exit 1]
$ rethink report a; rethink table a/copy rates --format csv | cut -d, -f4 | sort | uniq -c
not complete: table a/copy: left out: <any>plots/tables/a/copy.yaml: table 'rates' has the name of <any>
out/report.html
      1 column
      2 other
      2 score
$ rm -r plots/tables/a

# A table, figure or file of claims is named by its path: the advised command works unchanged, and the page includes it too.
$ mkdir away && sed 's/table: rates/table: mine\/tc/' plots/tables/rates.yaml > away/tc.yaml && cp plots/claims/rates.yaml away/claims.yaml
$ rethink table away/tc.yaml --store fresh | sed -n 's/^NOT COMPLETE.*run them with: //p' | tee told
fresh: there is no store here: nothing has run
rethink table away/tc.yaml --run --store fresh
$ sh told >/dev/null 2>&1 && rethink table away/tc.yaml --store fresh | grep -c 'NOT COMPLETE'
0
[exit 1]
$ rethink report away/tc.yaml away/claims.yaml && grep -c '<h2>' out/report.html
out/report.html
4
$ rethink report away/tcc.yaml
away/tcc.yaml: there is no such file; did you mean 'away/tc.yaml'?; expected a file of claims, a table, a figure or a sweep or the name of one
[exit 2]
$ echo 'a: 1' >odd.yaml; rethink report odd.yaml
odd.yaml: expected a file of claims, a table, a figure or a sweep, which has the key claims, table, figure or stages
[exit 2]

# Cancelled trials run only on request, like failed ones.
$ rethink run rates.yaml --store gone --max-trials 1 --quiet; rethink cancel rates --store gone; rethink claims rates --store gone | grep 'on request'; rethink figure second --store gone 2>&1 | grep 'on request'; rethink table rates --store gone | grep -c 'run them with'; rethink table rates --store gone | grep 'on request' | sed 's/.*: //' | tee told; sh told; rethink table rates --run --store gone --quiet | grep -c 'NOT COMPLETE'
1 of 4 trials run, 3 left<any>
cancelled 3 trials
cancelled trials run again only on request: rethink retry rates --store gone
second: cancelled trials run again only on request: rethink retry rates --store gone
0
rethink retry rates --store gone
3 trials may run again
0
[exit 1]

# Two documents in one file are a mistake.
$ rethink table rates rates --format json
{"error":"conflicting-arguments","exit":2,"message":"--format json: got 2 tables, but in sequence they are not valid json; name one, or give --out FOLDER for a file of each"}
[exit 2]
