# Trials of a user's program are compared over items, by the program's prediction for each item.
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

# The same works with the likelihood of each sentence, and with the scores of each answer.
=== items.awk
# Of 300 items those of model a are better by about a tenth.
function say(metric, value) { printf "{\"metric\": \"test/%s\", \"step\": 1, \"value\": %.17g}\n", metric, value >> ENVIRON["RETHINK_EVENTS"] }
BEGIN {
  print header > "predictions.csv"
  for (i = 0; i < 300; i++) {
    if (header ~ /nll/) {
      tokens = 1 + i % 7; nll = tokens * (1 + (i % 5) / 10 + (model == "b" ? 0.1 + (i % 3) / 50 : 0))
      nats += nll; count += tokens; printf "test,%.17g,%d\n", nll, tokens > "predictions.csv"
    } else {
      hit = (i * 7) % 10 < (model == "a" ? 8 : 6); part = hit ? 1 : (i % 4) / 4
      hits += hit; parts += part; printf "test,%d,%.17g\n", hit, part > "predictions.csv"
    }
  }
  close("predictions.csv")
  if (header ~ /nll/) { say("perplexity", exp(nats / count)); say("loss", nats / count + shift) }
  else { say("exact", hits / 300); say("f1", parts / 300) }
  print "{\"artifact\": \"predictions\", \"path\": \"predictions.csv\"}" >> ENVIRON["RETHINK_EVENTS"]
}
=== items.yaml
sweep: items
stages:
  sentences:
    job: command
    run: [awk, -v, "header=split,nll,tokens", -v, "shift={config.shift}", -v, "model={config.model}", -f, items.awk]
    code: [items.awk]
    config: {shift: 0}
    grid: {config.model: [a, b]}
    metrics: {test/perplexity: min, test/loss: min}
  answers:
    job: command
    run: [awk, -v, "header=split,exact,f1", -v, "model={config.model}", -f, items.awk]
    code: [items.awk]
    grid: {config.model: [a, b]}
    metrics: {test/exact: max, test/f1: max}
=== each.sh
for metric in sentences/perplexity/min sentences/loss/min answers/exact/max answers/f1/max; do
  IFS=/ read -r stage name direction <<END
$metric
END
  cat >"$name.yaml" <<END
table: $name
sweep: items.yaml
stage: $stage
metric: test/$name@last
rows: {axis: config.model}
columns: [{label: $name}]
direction: $direction
seeds: 1
test: {baseline: a, kind: paired_bootstrap, correction: holm}
END
  rethink table "$name.yaml" "$@" 2>&1 | grep -E '^(.. )?b |bootstrap over test items, not'
done
===
$ rethink run items.yaml --store items --quiet; sh each.sh --store items
b   3.75*  +0.42  +0.41 to +0.43
*: differs from a with p < 0.05 (paired bootstrap over test items, not over seeds)
b   1.32*  +0.12  +0.12 to +0.12
*: differs from a with p < 0.05 (paired bootstrap over test items, not over seeds)
b   0.60*  -0.20  -0.25 to -0.16
*: differs from a with p < 0.05 (paired bootstrap over test items, not over seeds)
b   0.75*  -0.12  -0.16 to -0.09
*: differs from a with p < 0.05 (paired bootstrap over test items, not over seeds)

# A metric that does not follow from the items is not compared over them.
$ rethink run items.yaml --store shifted --quiet --set stages.sentences.config.shift=0.5; rethink table loss.yaml --store shifted --set stages.sentences.config.shift=0.5 | grep -o 'not comparable: the predictions do not give test/loss@last'
not comparable: the predictions do not give test/loss@last
