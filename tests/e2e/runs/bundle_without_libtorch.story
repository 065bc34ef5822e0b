# LibTorch is missing, or has another version: the bundle runs users' programs, and jobs that need LibTorch explain how to get it.
# not under ODD_PLACE, ONE_CORE, BARE: the wrapper is a shell script
=== bin/python3
#!/bin/sh
exit 1
===
=== bundle/get_libtorch.sh
===
=== own.yaml
sweep: own
seeds: [0, 1]
stages:
  train:
    job: command
    run: [sh, -c, "echo '{{\"metric\": \"dev/acc\", \"step\": 1, \"value\": {config.rate}}}' >> $RETHINK_EVENTS"]
    code: [own.yaml]
    grid: {config.rate: [1, 2]}
    metrics: {dev/acc: max}
  best: {job: select, needs: {from: train}, over: [config.rate], by: dev/acc@last}
===
=== exact.yaml
sweep: exact
stages:
  exact: {job: analyze, analysis: {kind: theorem1, n: 3, d: 1, inverse_delta: 4}}
===
$ chmod +x bin/python3; mkdir bundle/bin; ln -s "$(command -v rethink)" bundle/bin/rethink; sed -n "/<<'WRAPPER'/,/^WRAPPER/p" "$FIXTURES/../../cmake/bundle.sh" | sed '1d; $d; s/@LIBTORCH@/2.11/g' > bundle/rethink; chmod +x bundle/rethink; ln -s rethink bundle/rethink-worker; printf 'PATH=$PWD/bin:$PATH RETHINK_CACHE=cache; unset RETHINK_LIBTORCH; export PATH RETHINK_CACHE\n' > bare

# A sweep of programs runs from the plan to a table, with a select stage.
$ . ./bare; bundle/rethink run own.yaml --quiet; bundle/rethink query "select job, state, count(*) as n from trial group by job" --format csv; bundle/rethink table own.yaml >/dev/null && echo and a table
job,state,n
command,done,4
select,done,1
and a table

# Another job reports before anything runs that it needs LibTorch, and how to get it.
$ . ./bare; bundle/rethink run exact.yaml
job 'analyze' needs LibTorch: no LibTorch was found: RETHINK_LIBTORCH is not set, python3 has no package torch, and cache has no LibTorch; expected LibTorch 2.11. Do one of these:
  pip install torch==2.11.*   # for the python3 on PATH
  <any>/bundle/get_libtorch.sh libtorch   # downloads it with pip into cache
  export RETHINK_LIBTORCH=/path/to/torch   # the folder torch of an installed PyTorch 2.11
[exit 3]

$ . ./bare; bundle/rethink doctor | grep programs; bundle/rethink encode model --out x.npy 2>&1 | head -1; bundle/rethink-worker schema 2>&1 | head -1
!! programs   every job except 'command' needs LibTorch: no LibTorch was found<any>
'rethink encode' needs LibTorch: no LibTorch was found<any>
rethink-worker needs LibTorch: no LibTorch was found<any>

# A driver that runs programs refuses another command's job that needs LibTorch, and goes on.
=== slow.yaml
sweep: slow
stages:
  train: {job: command, run: [sh, -c, "touch begun-{seed}; cp begun-{seed} $HOME; until [ -e $HOME/go ]; do sleep 0.05; done"], code: [slow.yaml]}
===
$ . ./bare; bundle/rethink run slow.yaml --quiet --store slow & driver=$!; for i in $(seq 1200); do [ -e "$HOME/begun-0" ] && break; sleep 0.05; done; bundle/rethink run exact.yaml --store slow 2>&1 | head -1; touch "$HOME/go"; wait $driver; echo $?; bundle/rethink status --store slow | head -1
job 'analyze' needs LibTorch: no LibTorch was found<any>
0
slow: 1 of 1 done

=== torch/lib/libtorch_cpu.so
===
=== torch/include/torch/headeronly/version.h
#define TORCH_VERSION_MAJOR 2
#define TORCH_VERSION_MINOR 7
===
$ . ./bare; RETHINK_LIBTORCH=$PWD/torch bundle/rethink run exact.yaml 2>&1 | head -1; RETHINK_LIBTORCH=$PWD/bin bundle/rethink run exact.yaml 2>&1 | head -1
job 'analyze' needs LibTorch: the LibTorch in '<any>/torch' is of version 2.7; expected LibTorch 2.11. Do one of these:
job 'analyze' needs LibTorch: no LibTorch in '<any>/bin': lib/libtorch_cpu.so is missing there; expected LibTorch 2.11. Do one of these:

$ . ./bare; sed -i 's/MINOR 7/MINOR 11/' torch/include/torch/headeronly/version.h; RETHINK_LIBTORCH=$PWD/torch bundle/rethink run exact.yaml
...
1 of 1 trials done
...
