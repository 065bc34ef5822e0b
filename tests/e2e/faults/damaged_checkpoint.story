# After damage to a checkpoint the trial goes on from the older one, or begins anew; the numbers equal those of an undisturbed run.
=== train.yaml
sweep: train
seeds: [0]
stages:
  train: {job: noop, steps: 20, checkpoint_every: 1}
===
=== attempt.sh
# One attempt without a driver, killed when it has removed all but two of its first five checkpoints.
trial=$(echo "$PWD"/store/trials/*)
runtime='{"threads": 1, "device": "cpu", "data": "", "cache": "", "keep_weights": false, "deterministic": true}'
RETHINK_KILL_AT=after_checkpoint_drop:5 "$RETHINK_PROGRAMS/rethink-worker" attempt \
  "{\"trial\": \"$trial\", \"store\": \"$PWD/store\", \"cores\": [], \"runtime\": $runtime}"
===
$ rethink run train.yaml --max-trials 0 --quiet
0 of 1 trials run, 1 left (--max-trials 0); the same command continues

$ sh attempt.sh
...
[exit 137]

$ cd store/trials/*/checkpoints && ls && for file in *; do printf damaged >$file; done
checkpoint-4
checkpoint-5

$ rethink run train.yaml
lost      <id>  train seed 0: its driver ended first; it is tried again
started   <id>  train seed 0
warning   <id>  train seed 0: the checkpoint of step 5 is damaged; going back to the start
warning   <id>  train seed 0: the checkpoint of step 4 is damaged; going back to the start
done      <id>  train seed 0  <t>  dev/score@last <n>
1 of 1 trials done
next: rethink table <any> or rethink figure <any>

$ rethink run train.yaml --store quiet --quiet

$ for store in store quiet; do rethink query 'SELECT * FROM metric' --store $store >$store.rows; done; diff store.rows quiet.rows
