# A gate's answer from its pilot stays on record: a pilot that is removed, or drawn anew with other seeds, changes no verdict.
=== s.yaml
sweep: s
seeds: [0, 1, 2, 3, 4]
stages:
  train: {job: noop, grid: {tag: [d, s]}}
=== pilot.yaml
sweep: pilot
seeds: [100, 101, 102]
stages:
  train: {job: noop, grid: {tag: [a, b, q, s]}}
profiles:
  other: {}
=== plots/tables/t.yaml
table: t
title: T
sweep: s.yaml
stage: train
metric: train/loss@tail
rows: {axis: tag}
columns: [{label: x, direction: max}]
=== plots/tables/g.yaml
table: g
title: G
sweep: pilot.yaml
stage: train
metric: train/loss@tail
rows: {axis: tag}
columns: [{label: x, direction: max}]
=== plots/claims/c.yaml
claims: c
looks: {5: 0.05}
gates:
  open: {table: g, row: q, than: s}
  shut: {table: g, row: a, than: b}
list:
  - {claim: one, says: s, table: t, test: better, row: d, than: s, gate: open}
  - {claim: two, says: s, table: t, test: better, row: d, than: s, gate: shut}
===
$ rethink run s.yaml pilot.yaml --quiet && rethink claims c --format csv | cut -d, -f 2-6
claim,verdict,scope,says,why
one,holds,seeds,s,"'d' <any>
two,not at this scale,seeds,s,"its gate is closed on x: 'a' is <any> than 'b' by <any> (95% interval <any>
$ grep -ho '"claim":"gate[^"]*"\|"verdict":"[a-z]*"' store/looks/* | sort
"claim":"gate open on x"
"claim":"gate shut on x"
"verdict":"closed"
"verdict":"holds"
"verdict":"holds"
"verdict":"passed"

# Behind a closed gate the printed numbers are shown.
$ rethink claims c --format csv | tail -n 1 | grep -c 'not at this scale.*,0.95,0.0'
1

# The answer stays without the pilot's trials.
$ rethink rm --yes pilot > told && rethink claims c --format csv > gone; grep -c ',holds,.*its gate of .* stays valid on x: values behind it are missing by now' gone; grep -c ',not at this scale,.*stays valid on x: values' gone
1
1
$ rethink claims c --run --quiet > again; cmp gone again || rethink query 'select count(*) from trial' --format csv | tail -n 1
gone again differ: <any>
10

# The answer stays if the pilot is drawn anew.
$ sed -i 's/100, 101, 102/103, 104, 105/' pilot.yaml && rethink run pilot.yaml --quiet && rethink claims c --format csv | grep -o '^c,[a-z]*,[a-z ]*,\|its gate of.*changed'
c,one,holds,
its gate of <any> stays valid on x of other trials: the table, its sweep or the profile has changed
c,two,not at this scale,
its gate of <any> stays valid on x of other trials: the table, its sweep or the profile has changed

# The answer stays under another rule, with other choices, and under another profile.
$ sed -i 's/row: q, than: s}/row: s, than: q}/' plots/claims/c.yaml && rethink claims c --format csv | grep -o 'gate open on x was[^"]*'
gate open on x was passed on <any> by another rule (row: q, now s; than: s, now q)
$ ls store/looks | wc -l
<any>
$ rethink claims c --set stages.train.sleep_ms=1 --format csv | grep -o 'gate shut on x was[^,"]*'
s: 10 of 10 trials done under the file's own settings: rethink claims c
gate shut on x was closed on <any>; gates with other choices are not recorded
$ rethink db merge store --store other 2>&1 | grep -o '[0-9]* looks at claims added'
<any> looks at claims added

# An overwritten record is no gate.
$ sed -i 's/row: s, than: q}/row: q, than: s}/' plots/claims/c.yaml; sed -i 's/passed/closed/' store/looks/* && rethink claims c 2>&1 | head -n 1
store/looks/<any>.json is damaged (its checksum does not fit what it says); <any>
