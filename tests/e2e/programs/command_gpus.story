# A program gets the GPUs that its sweep requests, whole and by their ordinals. (The driver library here is a made-up one.)
# only with noop/fake_nvml/libnvidia-ml.so.1: a sanitizer wants to be loaded first
=== see.sh
echo "$CUDA_DEVICE_ORDER [$CUDA_VISIBLE_DEVICES] $*" > seen.txt
echo '{"artifact": "seen", "path": "seen.txt"}' >> "$RETHINK_EVENTS"
=== see.yaml
sweep: see
stages:
  train:
    job: command
    run: [sh, see.sh, "--nproc-per-node={gpus}"]
    code: [see.sh]
===
=== with_gpus.sh
LD_LIBRARY_PATH="$RETHINK_PROGRAMS/fake_nvml" FAKE_GPUS="H100=GPU-aa1;H100=GPU-bb2;H100=GPU-cc3" exec "$@"
===
$ for gpus in 0 1 2 3; do sh with_gpus.sh rethink run see.yaml --store $gpus --set resources.gpus=$gpus --quiet && cat $gpus/trials/*/artifacts/seen.txt; done
PCI_BUS_ID [] --nproc-per-node=0
PCI_BUS_ID [0] --nproc-per-node=1
PCI_BUS_ID [0,1] --nproc-per-node=2
PCI_BUS_ID [0,1,2] --nproc-per-node=3

# The shell shows a part of the GPUs, in another order than the machine's.
$ sh with_gpus.sh env CUDA_VISIBLE_DEVICES=2,1 rethink run see.yaml --store part --set resources.gpus=2 --quiet && cat part/trials/*/artifacts/seen.txt
PCI_BUS_ID [2,1] --nproc-per-node=2

# The number of GPUs is not a part of a trial's identity, and is recorded with its attempt.
$ ls -d [0-3]/trials/* | sed 's,.*/,,' | sort -u | wc -l; rethink query "select json_extract(facts, '$.gpu') as gpu from attempt" --store 2 --format csv
1
gpu
"GPU-aa1,GPU-bb2"

$ sh with_gpus.sh rethink plan see.yaml --set resources.gpus=4
--set resources.gpus=4: error: 'resources.gpus': got 4, expected at most 3, the GPUs that this machine shows (`rethink doctor`); change it here or with --set resources.gpus=3, or give --device cpu
[exit 2]

$ sh with_gpus.sh rethink run see.yaml --store cpu --set resources.gpus=4 --device cpu --quiet && cat cpu/trials/*/artifacts/seen.txt
PCI_BUS_ID [] --nproc-per-node=0

# Two trials of two GPUs never run at once on three GPUs, nor beside a trial that shares one of theirs.
=== pair.yaml
sweep: pair
seeds: [0, 1, 2]
stages:
  two:
    job: command
    run: [sh, -c, 'date +%s%N >begun; sleep 0.3; date +%s%N >ended; echo "$CUDA_VISIBLE_DEVICES $(cat begun) $(cat ended)" >"$RETHINK_ARTIFACTS/span"']
    code: [see.sh]
    resources: {gpus: 2}
===
$ sh with_gpus.sh rethink run pair.yaml --store pair --slots 3 --quiet; sort -k2 pair/trials/*/artifacts/span | awk '$2 < ended { print "at once" } { ended = $3; print $1 }'
0,1
0,1
0,1
