# Commands name GPUs that trials do not use, with the reason. (The driver library here is a made-up one.)
# only with noop/fake_nvml/libnvidia-ml.so.1: a sanitizer wants to be loaded first
=== auto.yaml
sweep: auto
seeds: [0]
stages:
  train: {job: noop}
===
=== with_gpus.sh
LD_LIBRARY_PATH="$RETHINK_PROGRAMS/fake_nvml" FAKE_GPUS="H100=GPU-aa1;H100=GPU-bb2" exec "$@"
===
$ sh with_gpus.sh rethink doctor | grep -a GPU
<any>H100 GPU-aa1 with 79.0 of 80.0 GiB free; H100 GPU-bb2 with 79.0 of 80.0 GiB free; without MPS, trials that share a GPU take turns; H100 is here, and trials run on the CPU: <any>/librethink_cuda.so is missing (docs/gpu.md)

$ sh with_gpus.sh env CUDA_VISIBLE_DEVICES=0,0 rethink doctor | grep -a GPU
<any>none; CUDA_VISIBLE_DEVICES=0,0 leaves no GPU: index 0 is given twice, which hides all

$ sh with_gpus.sh env CUDA_VISIBLE_DEVICES=1,7 rethink doctor | grep -a GPU
<any>H100 GPU-bb2 with 79.0 of 80.0 GiB free; <any>; CUDA_VISIBLE_DEVICES=1,7 is used in part: there is no GPU 7, and what follows it is hidden; <any>

# With different GPUs the indices of all GPUs name all, in any order of CUDA.
$ for indices in 0,1 1,0 0; do LD_LIBRARY_PATH="$RETHINK_PROGRAMS/fake_nvml" FAKE_GPUS='H100=GPU-aa1;T4=GPU-bb2' CUDA_VISIBLE_DEVICES=$indices rethink doctor | grep -ac 'leaves no GPU'; done
0
0
1

# These are values that CUDA does not read, with the probable intention.
$ sh with_gpus.sh env CUDA_VISIBLE_DEVICES='0 1' rethink doctor | grep -a GPU
<any>H100 GPU-aa1 with 79.0 of 80.0 GiB free; <any>; CUDA_VISIBLE_DEVICES='0 1' is used in part: of '0 1' only 0 is read; did you mean 0,1?; <any>

$ sh with_gpus.sh env CUDA_VISIBLE_DEVICES='"0"' rethink doctor | grep -a GPU
<any>none; CUDA_VISIBLE_DEVICES='"0"' leaves no GPU: '"0"' is no index, and what follows it is hidden; did you mean 0?

# MIG devices take the place of the GPU that is divided into them.
$ sh with_gpus.sh env FAKE_GPUS='A100=GPU-aa1+MIG-1f+MIG-2f;A100=GPU-bb2' rethink doctor | grep -a GPU
<any>A100 MIG 1g.10gb MIG-1f with 79.0 of 80.0 GiB free; A100 MIG 1g.10gb MIG-2f with 79.0 of 80.0 GiB free; A100 GPU-bb2 with <any>

$ sh with_gpus.sh env FAKE_GPUS='A100=GPU-aa1+MIG-1f+MIG-2f' CUDA_VISIBLE_DEVICES=MIG-2f rethink doctor | grep -a GPU
<any> A100 MIG 1g.10gb MIG-2f with 79.0 of 80.0 GiB free; <any>; A100 MIG 1g.10gb is here, and <any>

$ sh with_gpus.sh env FAKE_GPUS='A100=GPU-aa1+MIG-1f+MIG-2f' CUDA_VISIBLE_DEVICES=MIG-GPU-aa1/1/0 rethink doctor | grep -a GPU
<any> A100 MIG 1g.10gb MIG-1f with 79.0 of 80.0 GiB free; <any>; A100 MIG 1g.10gb is here, and <any>

$ sh with_gpus.sh env CUDA_VISIBLE_DEVICES=MIG-1f rethink doctor | grep -a GPU
<any>none; CUDA_VISIBLE_DEVICES=MIG-1f leaves no GPU: 'MIG-1f' is a MIG device, and the driver lists none: switch MIG on and create devices (nvidia-smi -mig 1, nvidia-smi mig -cgi ... -C), or name a GPU

$ sh with_gpus.sh env FAKE_GPUS='A100=GPU-aa1+' rethink doctor | grep -a GPU
<any>none; MIG is on for A100 GPU-aa1, of which no MIG device is listed: create one (nvidia-smi mig -cgi ... -C), update the driver, or switch MIG off

# The driver is older than the plug-in requires, or the GPU is older than its kernels.
$ mkdir programs && for program in "$RETHINK_PROGRAMS"/*; do ln -s "$program" programs/; done && echo 'NEEDED libcudart.so.13' > programs/librethink_cuda.so

$ sh with_gpus.sh env RETHINK_PROGRAMS=programs FAKE_DRIVER_CUDA=12 rethink doctor | grep -a GPU
<any>; H100 is here, and trials run on the CPU: the driver 570.86.10 runs programs of CUDA 12 or older, and the plug-in is of CUDA 13: update the driver, or build the plug-in with an older CUDA (docs/gpu.md)

$ sh with_gpus.sh env RETHINK_PROGRAMS=programs FAKE_DRIVER_CUDA=12 rethink plan auto.yaml --device cuda
--device: error: got cuda, but rethink can use no GPU here (`rethink doctor` says why); leave the option out, or give --device cpu
[exit 2]
$ sh with_gpus.sh env RETHINK_PROGRAMS=programs FAKE_GPUS='T4=GPU-cc3' rethink doctor | grep -a GPU
<any>none; T4 GPU-cc3 has compute capability 7.5, and the kernels need 8.0 (A100, RTX 30) or newer

# A running MPS is used, and reported.
$ python3 -c 'import socket, subprocess, sys; daemon = socket.socket(socket.AF_UNIX); daemon.bind("control"); daemon.listen(); sys.exit(subprocess.call(sys.argv[1:]))' env CUDA_MPS_PIPE_DIRECTORY=. sh with_gpus.sh rethink doctor | grep -a GPU
<any>; MPS runs: trials that share a GPU compute at the same time; <any>

# This job never uses a GPU.
$ sh with_gpus.sh rethink plan auto.yaml 2>&1 >/dev/null

$ sh with_gpus.sh env CUDA_VISIBLE_DEVICES=-1 rethink plan auto.yaml --device cuda
--device: error: got cuda, but rethink can use no GPU here (`rethink doctor` says why); leave the option out, or give --device cpu
[exit 2]
