# A trial that LibTorch began on one node continues on a node of another kind: it is done, and says everywhere that its
# last bits may differ.
# only in make check-slurm: it takes a minute
# only with bin/rethink-worker: it trains
=== sites.yaml
n1: {engine: slurm, sbatch: [--exclusive, --nodelist=n1], ask_every: 1s}
n2: {engine: slurm, sbatch: [--exclusive, --nodelist=n2], setup: export ONEDNN_MAX_CPU_ISA=AVX2, ask_every: 1s}
===
=== tiny.yaml
sweep: tiny
seeds: [0]
stages:
  lm:
    job: lm
    data: {dataset: synthetic_language, sentences: 300}
    model: {preset: bet_lm, layers: 1, d_model: 16, ffn: 32}
    batch: 16
    steps: 300
    evaluate: {splits: [dev]}
resources: {device: cpu, threads: 1, checkpoint_every: 1s}
===
=== collect
unset RETHINK_PROGRAMS
for look in $(seq 300); do rethink run tiny.yaml --site n2 --sites sites.yaml --quiet; code=$?; [ $code = 4 ] || break; sleep 0.5; done; exit $code
===
$ sed 's/^stepping.*/stepping\t: 99/' /proc/cpuinfo > cpuinfo; cluster.sh on n2 mount --bind $PWD/cpuinfo /proc/cpuinfo

$ unset RETHINK_PROGRAMS; rethink run tiny.yaml --site n1 --sites sites.yaml --quiet; for look in $(seq 1200); do ls store/trials/*/checkpoints/* >/dev/null 2>&1 && break; sleep 0.05; done; scancel 1; cluster.sh wait-for CANCELLED 1

$ sh ./collect; rethink query "SELECT number, outcome FROM attempt ORDER BY 1" --format csv
number,outcome
1,interrupted
2,done

$ rethink why $(basename $(ls -d store/trials/*)) | grep resumed
    resumed inexactly: the checkpoint was made with another <any>

$ unset RETHINK_PROGRAMS; rethink table tiny.yaml | grep inexact
[<any>] inexact resume: 1 of 1 trials resumed from a checkpoint made with another <any>
