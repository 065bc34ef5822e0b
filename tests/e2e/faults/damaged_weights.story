# Damage to weights is found by their size before anything reads them, or by their SHA-256 when a child reads them.
# `retry` and `run` then make the same bytes again.
=== chain.yaml
sweep: chain
seeds: [0]
stages:
  base: {job: noop, steps: 3}
  tuned: {job: noop, needs: {init: base}, steps: 2, tag: t}
===
$ rethink run chain.yaml --store chain --quiet && cp chain/trials/*/artifacts/weights.safetensors good
$ echo cut | tee chain/trials/*/artifacts/weights.safetensors
cut
$ sed 's/: chain/: second/; s/tag: t/tag: u/' chain.yaml > second.yaml; rethink plan second.yaml --store chain | tail -3
to run
  <id>  base seed=0: done, but files that another trial reads are missing or damaged
  <id>  tuned seed=0: new: tag t -> u (against <id> of another sweep)
$ rethink run second.yaml --store chain --quiet && cmp good chain/trials/*/artifacts/weights.safetensors
$ rethink db check --hashes --store chain
the database is sound and says what the folders say: every row, event and artifact was compared; nothing was computed again

$ tr '\0-\377' '\1-\377\0' < good > bad && cp bad chain/trials/*/artifacts/weights.safetensors
$ sed 's/: chain/: third/; s/tag: t/tag: v/' chain.yaml > third.yaml; rethink run third.yaml --store chain
started   <id>  tuned seed 0
failed    <id>  tuned seed 0  <t>: weights of trial <id>, which this trial reads: the file is damaged (its SHA-256 is not the recorded one): <any>/weights.safetensors; retry trial <id> and run its sweep again, which makes trial <id> again, too
failed: <any>
  log: <any>
1 of 2 trials done, 1 failed
to repeat failed and cancelled trials: rethink retry third.yaml --store chain && rethink run third.yaml --store chain
[exit 1]
$ rethink retry third.yaml --store chain && rethink run third.yaml --store chain
<any>
started   <id>  base seed 0
done      <id>  base seed 0  <t>  dev/score@last <n>
started   <id>  tuned seed 0
done      <id>  tuned seed 0  <t>  dev/score@last <n>
2 of 2 trials done
next: rethink table <any> or rethink figure <any>
$ cmp good chain/trials/*/artifacts/weights.safetensors
