# A failed trial keeps its checkpoints, from which `retry` goes on; `rm` frees them.
=== f.yaml
sweep: f
seeds: [0]
stages:
  train: {job: noop, steps: 5, fail_at: 4, checkpoint_every: 1}
===
$ rethink run f.yaml --quiet 2>&1 | grep -c failed:
1
$ touch "$(echo store/trials/*/checkpoints)/.checkpoint-9.1.tmp"
$ mkdir "$(echo store/trials/*)/artifacts"; head -c 3000000 /dev/zero >"$(echo store/trials/*/artifacts)/.weights.safetensors.99.tmp"
$ rethink gc --dry-run
store/trials/<id>/artifacts/.weights.safetensors.99.tmp
store/trials/<id>/checkpoints/.checkpoint-9.1.tmp
would remove 3.0 MB in 2 places
$ rethink gc
removed 3.0 MB in 2 places
$ cd store/trials/*/checkpoints && ls -A
checkpoint-2
checkpoint-3
$ rethink retry f
1 trial may run again
$ rethink run f.yaml --quiet
...
[exit 1]
$ rethink query 'SELECT number, resume_step FROM attempt' --format csv
number,resume_step
1,0
2,3
$ rethink gc --dry-run && rethink rm f --dry-run
would remove 0.0 MB in 0 places
would remove sweep f, 1 trial, <n> files, <n> MB
$ rethink rm f --yes
removed sweep f, 1 trial, <n> files, <n> MB
$ find store/trials -type f
