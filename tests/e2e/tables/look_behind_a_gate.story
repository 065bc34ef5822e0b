# A look with printed numbers is on record even while its gate waits: it cannot be taken anew when the gate is open.
=== s.yaml
sweep: s
seeds: [0, 1, 2, 3, 4]
stages:
  train: {job: noop, grid: {tag: [a, b]}}
=== pilot.yaml
sweep: pilot
seeds: [100, 101, 102]
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
=== plots/tables/g.yaml
table: g
title: G
sweep: pilot.yaml
stage: train
metric: dev/score@last
rows: {axis: tag}
columns: [{label: x, direction: max}]
=== plots/claims/c.yaml
claims: c
looks: {5: 0.05}
gates:
  arms: {table: g, row: a, than: b}
list:
  - {claim: one, says: s, table: t, test: better, row: a, than: b, gate: arms}
===
$ rethink run s.yaml --quiet && rethink claims c --format csv | tail -n 1
c,one,undecided,seeds,s,"its gate waits: 0 of 3 seeds in table g have values of both rows; 'a' <any> over 5 seeds)",the pilot of its gate,<any>
$ grep -o '"decides":"[^"]*"' store/looks/* ; grep -o '"why":"[^"]*"' store/looks/*
"decides":"<any> seeds<any>"
"why":"'a' <any> over 5 seeds)"
$ sed 's/, gate: arms//; /gates:/d; /arms:/d' plots/claims/c.yaml > plots/claims/d.yaml && sed -i 's/claims: c/claims: d/' plots/claims/d.yaml && for time in first second; do rethink claims d --format csv | tail -n 1 | grep -o 'over 5 seeds.*,,t'; done
over 5 seeds)",<any> seeds<any>,,t
over 5 seeds)",<any> seeds<any>,,t

# The pilot is among the missing trials; --seeds chooses among the claims' seeds, not the pilot's.
$ rethink claims c > /dev/null
[exit 1]
$ rethink claims c --run --seeds 0..4 --quiet --format csv | tail -n 1 | cut -d, -f 1-6; rethink query 'select count(*) from trial' --format csv | tail -n 1
c,one,<any>
16
$ rethink claims c --seeds 0..4 --format csv | tail -n 1 | grep -c 'gate waits'
0
[exit 1]

# A gate without a table names the reason.
$ mv pilot.yaml away.yaml; rethink claims c --format csv | tail -n 1
left out table g: <any>plots/tables/g.yaml:3:8: error: sweep: got 'pilot.yaml', <any>
  sweep: pilot.yaml
         ^
c,one,undecided,seeds,s,"table g cannot be made: <any>; 'a' <any>",the table of its gate,<any>
$ rethink claims c > /dev/null 2>&1
[exit 2]
