# Arguments of `rethink claims`: repeated files, missing stores, and mistakes that only --run would meet.
=== s.yaml
sweep: s
seeds: [0, 1]
stages:
  train: {job: noop, grid: {tag: [a, b]}}
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
list:
  - {claim: one, says: s, table: t, test: better, row: a, than: b}
===
$ rethink claims c plots/claims/c.yaml c --format csv | grep -c ,one,
1
$ rethink claims c --store none 2>&1 > /dev/null
none: there is no store here: nothing has run
[exit 1]
$ rethink claims c --device gpu
<any>--device: <any>
[exit 2]
$ rethink claims c --priority foo
--priority: got 'foo', expected after, beside or before
[exit 2]
$ rethink claims --help | grep -A 1 'Exit codes: 0'
Exit codes: 0: each claim has the values it needs, whatever its verdict. 1: claims wait for trials
or lack values; the lines below the claims say what to do. 2: a table cannot be made.

# The claims name a profile of sweeps that have none.
$ sed '1a basis: {verdict: adapted}' plots/claims/c.yaml | sed 's/claims: c/claims: d/' > plots/claims/d.yaml; rethink claims d 2>&1 | grep -o 'basis: no.*'
basis: no sweep of these claims has a profile 'verdict'; they have: none

# On a terminal the text below the claims has the terminal's width, except commands, which can be copied.
$ if command -v script > /dev/null; then script -qec 'stty columns 60; rethink claims c' /dev/null < /dev/null | tr -d '\r' | grep -A 3 NOT; else printf 'NOT COMPLETE: 1 of 1 claims lack trials, which would decide\nnone of them\n1 of 1 claims stay undecided, whatever trials run: fewer\nseeds are planned than their next look takes\n'; fi
NOT COMPLETE: 1 of 1 claims lack trials, which would decide
none of them
1 of 1 claims stay undecided, whatever trials run: fewer
seeds are planned than their next look takes
