# Output for a paper: a tabular without notes, a figure without title and caption, numbers in its units.
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
===
=== plots/tables/rates.yaml
table: rates
sweep: rates.yaml
stage: train
metric: dev/score@last
rows: {axis: rate, order: [1, 2]}
columns: [{label: score, scale: 100, decimals: 1}]
direction: max
seeds: 2
===
=== plots/figures/rates.yaml
figure: rates
title: ''
caption: ''
width: 3.3in
font_size: 8
sweep: rates.yaml
stage: train
metric: dev/score@last
seeds: 2
baseline: 1
x: {axis: rate}
y: {label: "score [%]", scale: 100, decimals: 1}
series: [{label: rates}]
===
$ rethink run rates.yaml --quiet

$ rethink table rates --format latex --bare
% \usepackage{booktabs}
% rates: <any>
% no profile; mean ± standard deviation over 2 seeds
\begin{tabular}{lr}
\toprule
 & \multicolumn{1}{c}{score $\uparrow$} \\
\midrule
1 & <any><n> $\pm$ <n><any> \\
2 & <any><n> $\pm$ <n><any> \\
\bottomrule
\end{tabular}

$ rethink table rates --format md --bare
--bare: got --format md, expected --format latex
[exit 2]

$ rethink figure rates
out/figures/rates.svg
out/figures/rates.pdf
out/figures/rates.png
out/figures/rates.gp
out/figures/rates.dat

$ grep -c 'set label' out/figures/rates.gp
0
[exit 1]

$ head -1 out/figures/rates.dat | cut -c 3-
no profile; mean over 2 seeds; bars: standard deviation of the difference to x = 1 of the same seed

$ rethink query --by rate --show 'mean(dev/score), mean_ci(dev/score)' --scale 100 --decimals 1
rate  mean(dev/score)  mean_ci(dev/score)
────  ───────────────  ──────────────────
1                77.2  77.2 ± 168.5
2                23.4  23.4 ± 109.4

$ rethink query --by rate --show 'n' --scale nothing
--scale: got 'nothing', expected a number above 0
[exit 2]

$ rethink query 'select 1.25 as x' --decimals 1 --format csv
x
1.25
