# Trials of one's own program are compared over items, by what it predicted for each.
=== predict.awk
# Of 400 items the model a is right in nine of ten, b in four of five.
BEGIN {
  srand(ENVIRON["RETHINK_SEED"] + 1)
  print "split,predicted,expected" > "predictions.csv"
  for (i = 0; i < 400; i++) {
    truth = i % 2; hit = (i * 7) % 10 < (model == "a" ? 9 : 8); right += hit
    print "test," (hit ? truth : 1 - truth) "," truth > "predictions.csv"
  }
  close("predictions.csv")
  events = ENVIRON["RETHINK_EVENTS"]
  printf "{\"metric\": \"test/accuracy\", \"step\": 1, \"value\": %.17g}\n", right / 400 >> events
  print "{\"artifact\": \"predictions\", \"path\": \"predictions.csv\"}" >> events
}
=== predict.yaml
sweep: predict
stages:
  train:
    job: command
    run: [awk, -v, "model={config.model}", -f, predict.awk]
    code: [predict.awk]
    grid: {config.model: [a, b]}
    metrics: {test/accuracy: max}
=== table.yaml
table: predict
sweep: predict.yaml
stage: train
metric: test/accuracy@last
rows: {axis: config.model}
columns: [{label: accuracy}]
direction: max
seeds: 1
test: {baseline: a, kind: paired_bootstrap, correction: holm}
===
$ rethink run predict.yaml --quiet && rethink table table.yaml
predict

                      accuracy ↑
               Δ           Δ 95%
────────────────────────────────
a  ▸ 0.90
b   0.80*  -0.10  -0.13 to -0.07
────────────────────────────────
▸ best of its column
no profile; one seed, so without a spread; Δ: difference to a
*: differs from a with p < 0.05 (paired bootstrap over test items, not over seeds)
Δ 95%: interval of the paired bootstrap over test items (2000 resamples, mean over seeds): how sure the difference of these trained models is on other items; it says nothing about other seeds

$ sed -i 's/split,predicted,expected/split,guess/' predict.awk; rethink run predict.yaml --store wrong --quiet; grep -ho 'the artifact .predictions. is not kept[^"]*' wrong/trials/*/attempt-1/events.jsonl | uniq
the artifact 'predictions' is not kept: predictions.csv: the first line is 'split,guess', expected split,predicted,expected or split,nll,tokens or split,exact,f1
