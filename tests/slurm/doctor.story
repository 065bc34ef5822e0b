# `rethink doctor --site`: a job checks a node, and both check the disk between them.
=== sites.yaml
two:
  engine: slurm
  sbatch: [--nodelist=n2, --gres=gpu:1, --time=4:00:00]
  ask_every: 1s
===
$ rethink doctor --site two --sites sites.yaml | grep -v 'ok data'
job 1 of site two is submitted
...
ok locks          open-file-description locks work
ok fsync          a durable write takes <n> ms
ok site job       job 1 ran on n2, <n> s after it was submitted
ok site GLIBC     <any>
ok site programs  build <any>
ok site processor <any>
ok site GPUs      <any>
ok site disk      <any>
ok site data      no data folder<any>
ok site locks     locks hold between the nodes
ok site files     a new file is seen on the other node within <n> s
ok site clock     differs by <n> s

# No file remains in the folder, and the job requested two minutes, not four hours.
$ ls -A | grep doctor; cluster.sh wait-for COMPLETED 1; squeue --noheader --states=all --format=%l
2:00

# Slurm's message about an option is shown with the line of the file.
=== refused.yaml
two:
  engine: slurm
  sbatch:
    - --gres=gpu:1
    - --partition=gpu
===
$ rethink doctor --site two --sites refused.yaml
refused.yaml:5:7: error: site 'two': the queue refuses the job: sbatch: error: invalid partition specified: gpu; sbatch: error: Batch job submission failed: Invalid partition name specified; correct the options of the site
      - --partition=gpu
        ^
[exit 2]

# A waiting job gives the reason, and Ctrl-C removes it from the queue.
=== waits.yaml
two:
  engine: slurm
  sbatch: [--begin=now+1hour]
  ask_every: 1s
===
$ timeout --preserve-status -s INT 5 rethink doctor --site two --sites waits.yaml | grep 'site job'; cluster.sh wait-for CANCELLED 2
job 2 of site two is submitted
...
job 2 waits: BeginTime
!! site job   job 2 was cancelled

# If a program does not start there, the job's log is shown.
=== wrapped.yaml
two:
  engine: slurm
  sbatch: [--nodelist=n1]
  wrap: apptainer exec image.sif
  ask_every: 1s
===
$ rethink doctor --site two --sites wrapped.yaml --quiet | grep 'site job'
!! site job   job 3 ended without an answer: <any>apptainer: not found
...

# The node does not see the store.
$ rethink doctor --store /mnt/store --site two --sites sites.yaml --quiet | grep 'site job'
!! site job   job 4 ended without an answer and without a log: its node does not see /mnt; put the store on a disk that all nodes share (--store)

$ cluster.sh end-controller; rethink doctor --site two --sites sites.yaml
site 'two': the queue cannot be reached (sbatch: error: Batch job submission failed: Unable to contact slurm controller (connect failure)); try again later
[exit 3]
