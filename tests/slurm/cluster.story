# The test's own cluster: two nodes that share only files, and the behaviour of Slurm on which pilots rely.
# cluster: SlurmdTimeout=10
# only in make check-slurm: it takes half a minute, and no pilot
$ sinfo --noheader --format='%D %t'
2 idle

$ cluster.sh on n1 hostname; cluster.sh on n2 hostname
n1
n2

$ for n in n1 n2; do cluster.sh on $n cat /proc/sys/kernel/random/boot_id; done | sort -u | wc -l
2

$ cluster.sh on n1 touch /mnt/own; cluster.sh on n2 ls /mnt

=== job.sh
#!/bin/bash
trap 'echo TERM, $(squeue --noheader --format=%T --jobs=$SLURM_JOB_ID); exit 0' TERM
echo begun on $(hostname) with GPU $CUDA_VISIBLE_DEVICES, ${SLURM_RESTART_COUNT:-0} restarts
while :; do sleep 0.1; done
===
$ sbatch --parsable --nodelist=n2 --gres=gpu:1 --requeue --open-mode=append --output=log job.sh
1

$ cluster.sh wait-for RUNNING 1

# At preemption TERM reaches the script, and Slurm itself puts the job back into the queue.
$ sbatch --parsable --partition=urgent --nodelist=n2 --exclusive --output=urgent --wrap hostname
2

$ cluster.sh wait-for COMPLETED 2; cat urgent
n2

$ cluster.sh wait-for RUNNING 1

# A node goes down as in a power cut, and comes back.
$ cluster.sh end-node n2; cluster.sh wait-for PENDING 1; cluster.sh start-node n2; cluster.sh wait-for RUNNING 1

# A cancelled job gets TERM, too. Slurm would still requeue the job, so a pilot asks for its state first.
$ scancel 1; cluster.sh wait-for CANCELLED 1; grep -v '^$' log
begun on n2 with GPU 0, 0 restarts
...
TERM, <any>
begun on n2 with GPU 0, 1 restarts
begun on n2 with GPU 0, 2 restarts
...
TERM, COMPLETING

# The query of an old job gives an answer, not an error.
$ squeue --noheader --jobs=99
slurm_load_jobs error: Invalid job id specified
[exit 1]

$ sbatch --parsable --output=log2 job.sh; cluster.sh wait-for RUNNING 3; cluster.sh end-controller; timeout 60 squeue --noheader --jobs=3
3
slurm_load_jobs error: Unable to contact slurm controller (connect failure)
[exit 1]

$ cluster.sh start-controller; cluster.sh wait-for RUNNING 3
