# Lists of files with their purpose: the file's own description, or the first sentence of its comment.
=== plots/tables/mine/t.yaml
table: mine/t
title: "Mine: what counts"
===
=== sweeps/mine/said.yaml
# A comment. Not the description.
sweep: mine/said
description: which of two
stages: {a: {job: noop, grid: {tag: [x, y]}}}
===
=== sweeps/mine/comment.yaml
# Ours (Nobody et al. 2026), section 1: a comment over
# two lines. It goes on.
#
# And on.
sweep: mine/comment
stages: {a: {job: noop}}
===
=== sweeps/mine/broken.yaml
sweep: [
===
$ rethink list sweeps --path . | grep mine
mine/broken<any>cannot be read: <any>broken.yaml<any>
mine/comment<any>Ours (Nobody et al. 2026), section 1: a comment over two lines
mine/said<any>which of two

$ rethink list tables --path . | grep mine
mine/t<any>Mine: what counts

$ rethink list sweeps tables --format json --path . | grep -B1 '"mine/said"' | sed 's/^ *//'
"kind": "sweeps",
"name": "mine/said"
$ rethink list tabels
list: got 'tabels', expected sweeps, tables, figures, claims, datasets, presets; did you mean 'tables'?
[exit 2]

$ rethink run mine/said --path . --quiet
$ rethink status --path .
mine/said: 2 of 2 done
  which of two
no driver is running

# A sweep of the current folder, or of a folder in --path, is found by its name, like the shipped ones.
=== project/own.yaml
sweep: own
description: ours alone
stages: {a: {job: noop}}
===
$ rethink list sweeps --path project | grep '^own '
own<any>ours alone

$ rethink run own --path project --quiet && cd project && rethink plan own --check && echo found
found
