# A user compares a new idea over variants, rates and seeds on a small text, queues a second sweep meanwhile, explains a
# diverged trial from its records, and prints a table in LaTeX without a spec.
=== tale.sh
for i in $(seq 300); do echo "the $((i % 7)) cats of house $((i % 5)) saw $((i % 3)) dogs and went away"; done
===
=== idea.yaml
sweep: idea
seeds: [0, 1, 2]
stages:
  lm:
    job: lm
    data: {dataset: text, path: tale.txt, dev: 0.1, test: 0.1}
    model: {layers: 1, d_model: 16, heads: 2, ffn: 32}
    batch: 16
    steps: 12
    log_every: 2
    evaluate: {splits: [dev, test], every: 6, keep: best}
    cases:
      arm:
        plain: {model.attention: {kind: dense}}
        scaled: {model.attention: {kind: diag_scale, rate: 0.5}}
    grid: {optimizer.lr: [0.01, 0.003]}
resources: {device: cpu, threads: 1}
===
=== hot.yaml
sweep: hot
seeds: [0]
stages:
  lm: {use: idea.yaml#lm, steps: 60, clip: 1, divergence: {factor: 1.5, steps: 4}, grid: {optimizer.lr: [50]}}
===
=== begun
for look in $(seq 1200); do ls store/trials/*/attempt-1 >/dev/null 2>&1 && break; sleep 0.05; done
===
$ sh tale.sh >tale.txt; rethink plan idea.yaml | sed -n 2p
idea lm                        12       12        0        0        0       12  time and disk unknown

# The second sweep joins the queue of the first one's driver, and ends with its own exit code.
$ rethink run idea.yaml --quiet --slots 2 & driver=$!; . ./begun; rethink run hot.yaml 2>queued.log; echo queued $?; wait $driver; echo driver $?; head -1 queued.log; grep 'trials done' queued.log
queued 1
driver 0
queued with the driver, process <n> on <any>: hot, 2 trials
0 of 2 trials done, 2 diverged

# The records show how it diverged.
$ trial=$(rethink query "SELECT id FROM trial WHERE state = 'diverged' ORDER BY id LIMIT 1" --format csv | tail -1); rethink show $trial | grep -c 'may have come first'; rethink why $trial | sed -n '2p; /may have come first/p; s/^\(  train.*\) was .*/\1/p'
1
  diverged: the loss has been above <any>
  train/step_gradient_norm
  train/loss
  train/attention_logit_1
  train/parameter_norm
  train/attention_logit_1 (between steps 1 and 4), train/parameter_norm (between steps 1 and 4) may have come first

# Both rates are shown beside each other, each with its best arm, and no spec was written.
$ rethink table idea.yaml --format latex --bare
% \usepackage{booktabs}
% idea/lm: test/perplexity@best by arm and optimizer.lr
% no profile; mean ± standard deviation over 3 seeds
\begin{tabular}{lrr}
\toprule
 & \multicolumn{1}{c}{lr=0.01 $\downarrow$} & \multicolumn{1}{c}{lr=0.003 $\downarrow$} \\
\midrule
plain & <any> $\pm$ <any> & <any> $\pm$ <any> \\
scaled & <any> $\pm$ <any> & <any> $\pm$ <any> \\
\bottomrule
\end{tabular}

# The same numbers make figures and a page.
$ rethink report idea.yaml && ls out/figures/idea/*.svg
out/report.html
out/figures/idea/lm_curves.svg
out/figures/idea/lm_scores.svg

# The spec adds a test; a single seed shows no difference.
$ rethink table idea.yaml --write-spec tables/idea.yaml --quiet >/dev/null; echo 'test: {baseline: plain, kind: paired_t}' >>tables/idea.yaml; rethink table tables/idea.yaml --format csv | cut -d , -f 3,9,15 | sed 's/[0-9.e+-]*$//; s/,$//'
row,n,delta
plain,3
plain,3
scaled,3
scaled,3

$ rethink table tables/idea.yaml --seeds 0 --format csv | cut -d , -f 3,9,15
row,n,delta
plain,1,
plain,1,
scaled,1,
scaled,1,
