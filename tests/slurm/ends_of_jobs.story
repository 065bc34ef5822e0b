# What Slurm does to the job of a pilot, and what is left of the trials: nothing is lost, and no number changes.
# cluster: MinJobAge=2
# only in make check-slurm: it takes four minutes
=== sites.yaml
n1:
  engine: slurm
  sbatch: [--exclusive, --time=10:00, --nodelist=n1]
  ask_every: 1s
any:
  engine: slurm
  sbatch: [--exclusive, --time=10:00]
  ask_every: 1s
patient:
  engine: slurm
  sbatch: [--exclusive, --time=10:00, --nodelist=n1, --partition=patient]
  ask_every: 1s
===
=== slow.yaml
sweep: slow
seeds: [0]
stages:
  a: {job: noop, steps: 200, sleep_ms: 20, checkpoint_every: 4, grid: {tag: [x, y]}}
===
=== long.yaml
sweep: long
seeds: [0]
stages:
  a: {job: noop, steps: 2000, sleep_ms: 20, checkpoint_every: 4, grid: {tag: [x, y]}}
===
=== begin
# A new submission of the sweep $1 to site $2, until its first checkpoint.
rm -rf store; rethink run $1 --site $2 --sites sites.yaml --quiet
for look in $(seq 600); do ls store/trials/*/checkpoints/* >/dev/null 2>&1 && exit; sleep 0.05; done; echo no checkpoint
===
=== collect
for look in $(seq 400); do rethink run $1 --site $2 --sites sites.yaml --quiet; code=$?; [ $code = 4 ] || break; sleep 0.2; done; exit $code
===
=== numbers
rethink query "SELECT m.trial, m.split, m.name, m.step, m.value FROM metric m ORDER BY 1, 2, 3, 4" --format csv --store $1
===
=== same
# Whether the numbers are those of a quiet run in $1, and how the first attempts ended.
sh ./numbers store | cmp - $1 && rethink query "SELECT DISTINCT outcome FROM attempt ORDER BY 1" --format csv
===
$ rethink run slow.yaml --store quiet --quiet; sh ./numbers quiet > local.csv
$ rethink run long.yaml --store quiet2 --quiet; sh ./numbers quiet2 > long.csv


# Requeued by somebody: the same job goes on.
$ sh ./begin slow.yaml n1; scontrol requeue 1; sh ./collect slow.yaml n1; sh ./same local.csv; squeue --noheader --states=all --format='%i %T'
outcome
done
interrupted
1 COMPLETED

# Preempted without grace, and with 30 s of it. Slurm tells the batch script only at the end of the grace.
$ sh ./begin slow.yaml n1; sbatch --parsable --partition=urgent --nodelist=n1 --exclusive --output=urgent --wrap hostname; sh ./collect slow.yaml n1; sh ./same local.csv; cat urgent
3
outcome
done
interrupted
n1

$ sh ./begin long.yaml patient; sbatch --parsable --partition=urgent --nodelist=n1 --exclusive --output=urgent --wrap hostname; sh ./collect long.yaml patient; sh ./same long.csv
5
outcome
done
interrupted

# A node that the administrator takes down: Slurm ends what runs there, and another node takes the job.
$ sh ./begin slow.yaml any; scontrol update NodeName=$(squeue --noheader --format=%N) State=DOWN Reason=test; sh ./collect slow.yaml any; sh ./same local.csv; scontrol update NodeName=n1,n2 State=RESUME 2>/dev/null
outcome
done
interrupted
[exit 1]

# slurmctld is away while pilots work and when the command comes back: nobody takes a pilot for dead.
$ sh ./begin long.yaml n1; cluster.sh end-controller; rethink run long.yaml --site n1 --sites sites.yaml
pilots of site n1: <n> in an unknown state (slurm_load_jobs error: Unable to contact slurm controller (connect failure))
0 of 2 trials done; come back with: rethink run long.yaml --site n1 --sites sites.yaml
[exit 4]

$ rethink run long.yaml --quiet
<any>/store: pilots of site n1 have trials of this command: <n> in an unknown state (slurm_load_jobs error: Unable to contact slurm controller (connect failure)); give `rethink run` with --site n1 to collect what they do, or `rethink cancel` with the sweep to end them first
[exit 3]

$ for look in $(seq 900); do [ $(ls store/trials/*/result.json 2>/dev/null | wc -l) = 2 ] && break; sleep 0.1; done; sh ./collect long.yaml n1; sh ./same long.csv; cluster.sh start-controller
outcome
done

# A job that Slurm has forgotten (MinJobAge) has ended.
$ sh ./begin slow.yaml n1; for look in $(seq 400); do squeue --noheader --states=all | grep -q . || break; sleep 0.2; done; sh ./collect slow.yaml n1; sh ./same local.csv
outcome
done
