# Figures of very short runs, and of a metric that nothing records.
=== short.yaml
sweep: short
seeds: [0]
stages:
  train: {job: noop, steps: 1}
===
=== plots/figures/short.yaml
figure: short
kind: curves
sweep: short.yaml
stage: train
metric: train/loss
x: {label: steps}
y: {label: loss}
series: [{label: noop}]
===
=== plots/figures/slip.yaml
figure: slip
kind: curves
sweep: short.yaml
stage: train
metric: dev/scor
x: {label: steps}
y: {label: score}
series: [{label: noop}]
===
$ rethink figure short
short: 1 of 1 trials are not done; run them with: rethink figure short --run
short: not drawn: no trial is done yet
[exit 1]

$ rethink run short.yaml --quiet
$ rethink figure short
out/figures/short.svg
out/figures/short.pdf
out/figures/short.png
out/figures/short.gp
out/figures/short.dat

# Without gnuplot, `figure` and `report` say what to install.
$ PATH=$(dirname "$(command -v rethink)") rethink figure short
<any>gnuplot is not installed (not on PATH), and figures need it: `apt install gnuplot-nox`, or the package gnuplot of another system
[exit 3]
$ PATH=$(dirname "$(command -v rethink)") rethink report short
not complete: figure short: left out: gnuplot is not installed (not on PATH), and figures need it: `apt install gnuplot-nox`, or the package gnuplot of another system
out/report.html
[exit 1]


# A gnuplot that is too old, or another program of this name, is named with its version.
=== old/gnuplot
#!/bin/sh
echo 'gnuplot 4.6 patchlevel 6'
===
$ chmod +x old/gnuplot; PATH="$PWD/old:$PATH" rethink figure short
gnuplot 4.6 patchlevel 6 is too old, expected 5.2 or newer: `apt install gnuplot-nox`, or the package gnuplot of another system
[exit 3]
$ PATH="$PWD/old:$PATH" rethink doctor | grep -a gnuplot
<any>gnuplot 4.6 patchlevel 6 is too old, expected 5.2 or newer<any>

# A user's settings of gnuplot change no figure.
=== home/.gnuplot
set datafile separator ","
===
$ cp out/figures/short.svg before.svg; HOME="$PWD/home" rethink figure short > shown && cmp before.svg out/figures/short.svg && rm -r before.svg shown home old

# gnuplot's warnings are shown beside the figure, which is drawn.
$ mkdir loud; printf '#!/bin/sh\ncase "$*" in *--version*) ;; *) echo "warning: a made-up one" >&2 ;; esac\nexec %s "$@"\n' "$(command -v gnuplot)" > loud/gnuplot; chmod +x loud/gnuplot; PATH="$PWD/loud:$PATH" rethink figure short; rm -r loud
<any>figure short: <any>warning: a made-up one<any>
out/figures/short.svg
out/figures/short.pdf
out/figures/short.png
out/figures/short.gp
out/figures/short.dat

$ rethink figure slip
<any>plots/figures/slip.yaml:5:<any>error: metric: got 'dev/scor', which stage 'train' (job noop) will not have; did you mean 'dev/score'?; it will have: train/loss, dev/score
...
[exit 2]

# Axes may show no point of the data, such as percent in the place of shares, or some points.
=== plots/figures/percent.yaml
figure: percent
kind: curves
sweep: short.yaml
stage: train
metric: dev/score
y: {from: 50, to: 100}
series: [{label: noop}]
===
$ rethink figure percent
figure percent: not drawn: the axes show none of its 1 point: y is <n> in the data and shown from 50 to 100 (y.from and y.to); change these keys of the figure
[exit 1]
$ rethink report percent
not complete: figure percent: left out: figure percent: not drawn: the axes show none of its 1 point: y is <n> in the data and shown from 50 to 100 (y.from and y.to); change these keys of the figure
out/report.html
[exit 1]
$ sed -i 's/to: 100/to: 20/' plots/figures/percent.yaml; rethink figure percent
<any>plots/figures/percent.yaml:6:19: error: to: got 20, expected more than from, 50
  y: {from: 50, to: 20}
                    ^
[exit 2]
=== three.yaml
sweep: three
seeds: [0]
stages:
  train:
    job: noop
    steps: 1
    cases: {rate: {1: {tag: a}, 2: {tag: b}, 3: {tag: c}}}
===
=== plots/figures/three.yaml
figure: three
sweep: three.yaml
stage: train
metric: dev/score
x: {axis: rate, from: 2}
series: [{label: noop}]
===
$ rethink run three.yaml --quiet
$ rethink figure three
<any>warning figure three: 1 of 3 points are outside of the axes: x is 1 to 3 in the data and shown from 2 (x.from)
out/figures/three.svg
out/figures/three.pdf
out/figures/three.png
out/figures/three.gp
out/figures/three.dat
$ rm three.yaml

# A figure that cannot be drawn does not prevent the page.
$ rm out/figures/short.png && mkdir out/figures/short.png
$ rethink report short slip 2>&1 | sed 's/left out: .*/left out/'
not complete: figure short: left out
not complete: figure slip: left out
...
out/report.html

$ grep -c 'left out: ' out/report.html
<n>

# A spec from elsewhere runs nothing and writes nowhere else; the other figures are drawn.
=== plots/figures/run.yaml
figure: "<touch hacked;cat y"
kind: curves
sweep: short.yaml
stage: train
metric: train/loss
series: [{label: noop}]
===
=== plots/figures/away.yaml
figure: ../../away
kind: curves
sweep: short.yaml
stage: train
metric: train/loss
series: [{label: noop}]
===
=== plots/figures/spaced.yaml
figure: own/two words
kind: curves
sweep: short.yaml
stage: train
metric: train/loss
series: [{label: noop}]
===
$ rmdir out/figures/short.png
$ rethink figure run away spaced
left out run: <any>plots/figures/run.yaml:1:9: error: figure: got '<touch hacked;cat y', expected a path such as bet/figure3: without control characters and '..', beginning with none of / - | <, not ending with a /
...
left out away: <any>plots/figures/away.yaml:1:9: error: figure: got '../../away', <any>
...
out/figures/own/two_words-<any>.svg
...
[exit 1]

$ rethink report run 2>&1 | grep -c 'left out: '
1
# Names may give the same file: two that only look so get different files. Two equal names are a mistake, and so is a
# name too long for a disk.
=== plots/figures/ok_blank.yaml
figure: "ok fig"
kind: curves
sweep: short.yaml
stage: train
metric: train/loss
series: [{label: noop}]
===
=== plots/figures/ok_hash.yaml
figure: ok_fig-809d7c2b
kind: curves
sweep: short.yaml
stage: train
metric: train/loss
series: [{label: noop}]
===
=== plots/figures/same1.yaml
figure: own/same
kind: curves
sweep: short.yaml
stage: train
metric: train/loss
series: [{label: noop}]
===
=== plots/figures/same2.yaml
figure: own/./same
kind: curves
sweep: short.yaml
stage: train
metric: train/loss
series: [{label: noop}]
===
$ rethink figure ok_blank ok_hash --quiet | sort | uniq | wc -l
10
$ rethink figure same1 same1 same2 ok_blank 2>&1 | grep -v 'gp$\|dat$\|pdf$\|png$' | sort -u
left out same2: <any>plots/figures/same2.yaml: figure 'own/./same' has the name of the figure in <any>plots/figures/same1.yaml, and would replace its output; rename one of them
out/figures/ok_fig-809d7c2b.svg
out/figures/own/same.svg
$ rethink figure same1 same2 > said 2>&1
[exit 1]
# The same holds alone, and in any order: an earlier command's figure stays.
$ cp out/figures/own/same.gp before; rethink figure same2; rethink figure ./plots/figures/same2.yaml; rethink figure same2 same1 | wc -l; cmp before out/figures/own/same.gp
left out same2: <any>plots/figures/same2.yaml: figure 'own/./same' has the name of the figure in <any>plots/figures/same1.yaml, <any>
left out ./plots/figures/same2.yaml: <any>
left out same2: <any>
5
# The spec in the place of its name owns the name, even if another spec comes before it.
=== plots/figures/a_thief.yaml
figure: short
kind: curves
sweep: short.yaml
stage: train
metric: train/loss
series: [{label: stolen}]
===
$ rethink figure a_thief short
left out a_thief: <any>plots/figures/a_thief.yaml: figure 'short' has the name of the figure in <any>plots/figures/short.yaml, <any>
out/figures/short.svg
...
[exit 1]
$ (printf 'figure: '; printf 'x%.0s' $(seq 300); echo; tail -n +2 plots/figures/same1.yaml) > plots/figures/xlong.yaml; rethink report xlong same1 same2 > said 2>&1; echo $?; cat said
1
not complete: figure same2: left out: <any>same2.yaml: figure 'own/./same' has the name of <any>same1.yaml, <any>
not complete: figure xlong: left out: <any>xlong.yaml:1:9: error: figure: got a name of 300 bytes, expected 200 at most
...
out/report.html
$ rm before said plots/figures/ok_*.yaml plots/figures/same*.yaml plots/figures/xlong.yaml plots/figures/a_thief.yaml
$ rm -r out && ls
plots
short.yaml
store

# Curves of a select stage are those of the chosen trials.
=== tuned.yaml
sweep: tuned
seeds: [0, 1]
stages:
  train: {job: noop, steps: 3, grid: {allocate_mb: [1, 2]}}
  best: {job: select, needs: {from: train}, over: [allocate_mb], by: dev/score}
===
=== plots/figures/tuned.yaml
figure: tuned
kind: curves
sweep: tuned.yaml
stage: best
metric: train/loss
series: [{label: the best}]
===
$ rethink run tuned.yaml --quiet
$ rethink figure tuned | head -n 1
out/figures/tuned.svg
$ grep -v '^#' out/figures/tuned.dat | head -n 3 | sed 's/ .*//'
1
2
3

# The name cannot be a file's, or has a control character beyond ASCII.
=== plots/figures/empty.yaml
figure: ""
kind: curves
sweep: short.yaml
stage: train
metric: train/loss
series: [{label: noop}]
===
=== plots/figures/folder.yaml
figure: own/
kind: curves
sweep: short.yaml
stage: train
metric: train/loss
series: [{label: noop}]
===
=== plots/figures/line.yaml
figure: "own\x85line"
kind: curves
sweep: short.yaml
stage: train
metric: train/loss
series: [{label: noop}]
===
=== plots/tables/empty.yaml
table: ""
title: x
sweep: short.yaml
stage: train
rows: [{label: noop}]
columns: [{label: score, metric: dev/score}]
direction: max
===
$ rethink figure empty folder line 2>&1 | grep -o "figure: got '[^']*', expected a path"
figure: got '', expected a path
figure: got 'own/', expected a path
figure: got 'own\u0085line', expected a path
$ rethink table empty --format csv
left out empty: <any>plots/tables/empty.yaml:1:8: error: table: got '', expected a path such as bet/figure3: <any>
...
[exit 1]
