# `plan` and `run` say why trials that may use a GPU here do not. (The driver library is a made-up one.)
# only with noop/fake_nvml/libnvidia-ml.so.1: a sanitizer wants to be loaded first
=== auto.yaml
sweep: auto
seeds: [0]
stages:
  train:
    job: lm
    data: {dataset: synthetic_language, sentences: 40}
    model: {layers: 1, d_model: 8, ffn: 8, heads: 1}
    steps: 1
resources: {threads: 1}
===
=== with_gpus.sh
LD_LIBRARY_PATH="$(dirname "$(command -v rethink)")/../noop/fake_nvml" FAKE_GPUS="H100=GPU-aa1;H100=GPU-bb2" exec "$@"
===
$ sh with_gpus.sh env CUDA_VISIBLE_DEVICES= rethink plan auto.yaml 2>&1 >/dev/null | grep device
device: note: CUDA_VISIBLE_DEVICES='' leaves no GPU: it is empty

$ sh with_gpus.sh rethink plan auto.yaml --device cpu 2>&1 >/dev/null | grep device; true

$ sh with_gpus.sh env CUDA_VISIBLE_DEVICES=GPU-cc rethink run auto.yaml --quiet 2>&1 | grep device
device: note: CUDA_VISIBLE_DEVICES=GPU-cc leaves no GPU: 'GPU-cc' begins no UUID here, and what follows it is hidden

$ sh with_gpus.sh env CUDA_VISIBLE_DEVICES='0;1' rethink plan auto.yaml 2>&1 >/dev/null | grep CUDA_VISIBLE
device: note: CUDA_VISIBLE_DEVICES='0;1' is used in part: of '0;1' only 0 is read; did you mean 0,1?<any>

$ sh with_gpus.sh env CUDA_VISIBLE_DEVICES=all rethink run auto.yaml --quiet 2>&1 | grep device
device: note: CUDA_VISIBLE_DEVICES=all leaves no GPU: 'all' is no index, and what follows it is hidden; unset it for all GPUs

# A build without CUDA runs on a machine with GPUs.
$ mkdir without && for program in rethink-worker schema.json; do ln -s "$(dirname "$(command -v rethink)")/$program" without/; done

$ for command in plan "run --quiet"; do sh with_gpus.sh env RETHINK_PROGRAMS=without rethink $command auto.yaml 2>&1 >/dev/null | grep device; done
device: note: H100 is here, and trials run on the CPU: <any>without/librethink_cuda.so is missing (docs/gpu.md)
device: note: H100 is here, and trials run on the CPU: <any>without/librethink_cuda.so is missing (docs/gpu.md)

$ sh with_gpus.sh env RETHINK_PROGRAMS=without rethink plan auto.yaml --device cpu 2>&1 >/dev/null | grep device; true

$ sh with_gpus.sh env RETHINK_PROGRAMS=without rethink plan auto.yaml --device cuda
--device: error: got cuda, but rethink can use no GPU here (`rethink doctor` says why); leave the option out, or give --device cpu
[exit 2]

# A GPU is usable, but trials would not use its tensor cores.
$ mkdir programs && for program in rethink-worker schema.json; do ln -s "$(dirname "$(command -v rethink)")/$program" programs/; done && echo 'NEEDED libcudart.so.13' > programs/librethink_cuda.so

$ sh with_gpus.sh env RETHINK_PROGRAMS=programs rethink plan auto.yaml 2>&1 >/dev/null | grep device
device: note: 1 trial would run on a GPU in plain float32; on tensor cores, precision: bfloat16 or tf32 is several times as fast, with other numbers

$ sh with_gpus.sh env RETHINK_PROGRAMS=programs rethink plan auto.yaml --set stages.train.precision=bfloat16 2>&1 >/dev/null | grep device; true

$ sh with_gpus.sh env RETHINK_PROGRAMS=programs rethink plan auto.yaml --device cpu 2>&1 >/dev/null | grep device; true

# A head is too wide for a fused kernel.
$ sh with_gpus.sh env RETHINK_PROGRAMS=programs rethink plan auto.yaml --set stages.train.precision=bfloat16 --set stages.train.data.length=60 --set stages.train.model.d_model=513 2>&1 >/dev/null | grep device
device: note: 1 trial would keep all attention weights [batch,heads,tokens,tokens] in memory, since a head is wider than 512; more heads avoid this, with other numbers

$ sh with_gpus.sh env RETHINK_PROGRAMS=programs rethink plan auto.yaml --set stages.train.precision=bfloat16 --set stages.train.data.length=60 --set stages.train.model.d_model=512 2>&1 >/dev/null | grep device; true

$ sh with_gpus.sh env RETHINK_PROGRAMS=programs rethink plan auto.yaml --set stages.train.precision=bfloat16 --set stages.train.batch=4096 --set stages.train.data.length=512 --set stages.train.model.d_model=768 --set stages.train.model.heads=12 --set stages.train.model.ffn=3072 2>&1 >/dev/null | grep device
device: note: 1 trial may not fit: about <n> GiB, and the largest GPU here has 80; lower batch and raise accumulate by the same factor

# A need that no GPU here has is a mistake of the plan.
$ sh with_gpus.sh env RETHINK_PROGRAMS=programs rethink plan auto.yaml --device cuda --set resources.gpu_memory=90GiB
--set resources.gpu_memory=90GiB: error: 'resources.gpu_memory': got 90GiB, expected at most 80.0 GiB, the memory of the largest GPU here; change it here or with --set resources.gpu_memory=auto
[exit 2]
