# A damaged checkpoint means the older one, or the start; the numbers are those of a quiet run.
=== slow.yaml
sweep: slow
seeds: [0]
stages:
  train: {job: noop, steps: 20, sleep_ms: 100, checkpoint_every: 1}
===
$ timeout -s INT 0.8 rethink run slow.yaml --quiet; for file in store/trials/*/checkpoints/*; do printf damaged >$file; done; ls store/trials/*/checkpoints | wc -l
interrupted; resume with: rethink run slow.yaml
2

$ rethink run slow.yaml
started   <id>  train seed 0
warning   <id>  train seed 0: the checkpoint of step <n> is damaged; going back to the start
warning   <id>  train seed 0: the checkpoint of step <n> is damaged; going back to the start
done      <id>  train seed 0  <t>  score <n>
1 of 1 trials done
next: rethink table --all

$ rethink run slow.yaml --store quiet --quiet

$ for store in store quiet; do rethink query 'SELECT * FROM metric' --store $store >$store.rows; done; diff store.rows quiet.rows
