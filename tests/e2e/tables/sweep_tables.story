# A sweep without a spec has a table with rows, columns and metric that follow from it, and the spec can be written as a start.
=== mine.yaml
sweep: mine
seeds: [0, 1]
stages:
  train:
    job: noop
    cases: {arm: {plain: {tag: a}, star: {tag: b}}}
    grid: {steps: [2, 3]}
===
$ rethink table mine.yaml --quiet | head -1
mine/train: dev/score@last by arm and steps

# A table's title names the table, also if the sweep's file has another name.
$ rethink table mine/train --quiet | head -1; rethink table mine/train | grep -o 'run them with: .*'; rethink table mine/trian
mine/train: dev/score@last by arm and steps
run them with: rethink table mine/train --run
--stage: sweep mine has no trials of a stage 'trian'; did you mean 'train'?; it has: train
[exit 2]
$ mkdir apart; sed 's/sweep: mine/sweep: named/' mine.yaml >apart/file.yaml; rethink run apart/file.yaml --quiet --store apart/store; rethink table named/train --quiet --store apart/store | head -1; rethink figure named/train --store apart/store; rm -r out
named/train: dev/score@last by arm and steps
<any>
...

# A sweep's own name, which is not its file's, leads to the file.
$ for command in plan table figure 'why'; do rethink $command named --store apart/store; done; rm -r apart
no file has the name 'named'; the store's sweep of that name is in apart/file.yaml: type this path
no file has the name 'named'; the store's sweep of that name is in apart/file.yaml: type this path
no file has the name 'named'; the store's sweep of that name is in apart/file.yaml: type this path
no file has the name 'named'; the store's sweep of that name is in apart/file.yaml: type this path

$ rethink run mine.yaml --quiet
$ rethink table mine.yaml > first
$ rethink table mine.yaml --write-spec tables/mine.yaml > second
tables/mine.yaml

$ tail -n +2 tables/mine.yaml
table: mine/train
title: dev/score@last by arm and steps
sweep: ../mine.yaml
stage: train
metric: dev/score@last
rows: {axis: arm}
columns: {axis: steps, labels: {2: steps=2, 3: steps=3}}
direction: max
decimals: 4
seeds: 2

# The spec gives the same table, byte for byte.
$ rethink table tables/mine.yaml > third; cmp first second && cmp second third

# Its numbers lead back to trials, like those of any table.
$ rethink why mine.yaml star 3 | head -1
mine/train, row star, column steps=3: <n> ± <n> (sd), 2 of 2 seeds

# From now on this spec is the sweep's table, for files and pages, too.
$ sed -i 's/^title: .*/title: My table/' tables/mine.yaml; rethink table mine.yaml | head -1
mine.yaml is a sweep; its table mine/train has a spec, which is shown: <any>tables/mine.yaml
mine/train: My table

$ rethink table mine.yaml --out made --quiet >/dev/null && head -1 made/tables/mine/train.txt && rethink report mine.yaml --quiet && grep -c 'My table' out/report.html; rm -r made out
mine/train: My table
out/report.html
<n>

# A spec on another sweep of this name does not count as its table.
$ mkdir far; cp mine.yaml far; rethink table far/mine.yaml --out made --quiet
left out far/mine.yaml: far/mine.yaml: its table would be named 'mine/train' like the table in <any>tables/mine.yaml, and would replace its output; rename that table
[exit 1]

# No file is replaced, and no name is taken twice.
$ rethink table mine.yaml --write-spec tables/again.yaml --quiet
--write-spec: mine.yaml has a spec, <any>tables/mine.yaml: copy this file
[exit 2]

$ mkdir -p theirs/tables; sed 's,mine/train,theirs,; s,../mine.yaml,mine.yaml,' tables/mine.yaml >theirs/tables/one.yaml; mv tables/mine.yaml spec; rethink table mine.yaml --write-spec spec; rethink table mine.yaml --write-spec mine.txt; rethink table mine.yaml --path theirs --write-spec theirs/tables/one.yml; code=$?; mv spec tables/mine.yaml; exit $code
--write-spec: spec exists; name another file
--write-spec: got mine.txt, expected a name that ends with .yaml
--write-spec: theirs/tables/one.yml would have the name of the table one in theirs/tables/one.yaml; give the file another name
[exit 2]

$ rethink table tables/mine.yaml --write-spec other.yaml
--write-spec: tables/mine.yaml has a spec, tables/mine.yaml: copy this file
[exit 2]

$ rethink table tables/mine.yaml --stage train
--stage: tables/mine.yaml is a table, whose spec names the stage; leave out --stage
[exit 2]

$ rethink table mine.yaml --stage trian
--stage: sweep mine has no trials of a stage 'trian'; did you mean 'train'?; it has: train
[exit 2]

# There are curves of the training, bars of the score, and a page of all.
$ rethink figure mine.yaml
out/figures/mine/train_curves.svg
out/figures/mine/train_curves.pdf
out/figures/mine/train_curves.png
out/figures/mine/train_curves.gp
out/figures/mine/train_curves.dat
out/figures/mine/train_scores.svg
out/figures/mine/train_scores.pdf
out/figures/mine/train_scores.png
out/figures/mine/train_scores.gp
out/figures/mine/train_scores.dat

$ sed -n 's/^# \(.*=\)/\1/p' out/figures/mine/train_curves.dat
plain, steps=2
plain, steps=3
star, steps=2
star, steps=3

$ grep -v '^#' out/figures/mine/train_scores.dat | cut -d ' ' -f 1,5-
0 2 "plain, steps=2"
1 2 "plain, steps=3"
2 2 "star, steps=2"
3 2 "star, steps=3"

$ rm tables/mine.yaml; rethink report mine.yaml && grep -c '<section' out/report.html
out/report.html
<n>

# If a spec cannot hold a setting, the message has a command for the same table.
$ rethink table mine.yaml --set stages.train.sleep_ms=1 --write-spec tables/four.yaml 2>&1 | grep note:
tables/four.yaml: note: a spec has no profile and no settings; to see this table, type `rethink table tables/four.yaml --set stages.train.sleep_ms=1`
