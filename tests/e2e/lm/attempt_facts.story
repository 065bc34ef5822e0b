# Every attempt records its environment; an attempt that is killed just after publishing a checkpoint costs no retry.
=== tiny.yaml
sweep: tiny
seeds: [0]
stages:
  lm:
    job: lm
    data: {dataset: synthetic_language}
    model: {preset: bet_lm, layers: 1, d_model: 16, ffn: 32}
    batch: 16
    steps: 8
    checkpoint_every: 0
    evaluate: {splits: [dev]}
resources: {device: cpu, threads: 1}
===
$ RETHINK_KILL_AT=after_checkpoint_publish:1 rethink run tiny.yaml --quiet

$ rethink query "SELECT number, outcome, resume_step > 0 AS resumed, json_extract(facts, '$.charged') AS charged FROM attempt ORDER BY number" --format csv
number,outcome,resumed,charged
1,killed,0,0
2,done,1,

$ rethink query "SELECT name, count(*) AS attempts, count(DISTINCT value) AS known FROM environment WHERE name IN ('host', 'threads', 'device', 'cpu_capability', 'libtorch', 'deterministic', 'processor', 'processor_version', 'instructions', 'numeric_build', 'onednn', 'settings', 'libraries.libtorch_cpu.so', 'libraries.libm.so.6') GROUP BY name ORDER BY name" --format csv
name,attempts,known
cpu_capability,2,1
deterministic,2,1
device,2,1
host,2,1
instructions,2,1
libraries.libm.so.6,2,1
libraries.libtorch_cpu.so,2,1
libtorch,2,1
numeric_build,2,1
onednn,2,1
processor,2,1
processor_version,2,1
settings,2,1
threads,2,1

$ rethink query "SELECT name, step FROM measurement WHERE name IN ('attempt_s', 'peak_memory_bytes') ORDER BY name" --format csv
name,step
attempt_s,0
peak_memory_bytes,0

$ rethink why $(rethink query "SELECT id FROM trial" --format csv | tail -1) | grep attempt
  attempt 1: killed, build_id <any>, numeric_build <any>, host <any>, processor <any>, device cpu, threads 1, cpu_capability <any>, libtorch <any>, deterministic true: ended by signal 9 (Killed)
<any>/attempt-1/log
  attempt 2: done, build_id <any>, numeric_build <any>, host <any>, processor <any>, device cpu, threads 1, cpu_capability <any>, libtorch <any>, deterministic true

$ test "$(rethink version | sed -n 's/numeric build //p')" = "$(rethink query "SELECT DISTINCT value FROM environment WHERE name = 'numeric_build'" --format csv | tail -1)"
