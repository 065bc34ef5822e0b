# Random kills of everything that runs trials: pilots, zygotes, workers, programs, jobs, nodes, slurmd, slurmctld. No trial
# is lost, none is done twice, and metrics and artifacts, weights among them, are those of a quiet run bit for bit.
# $KILLS kills; 200 need RETHINK_STORY_SECONDS=5400. Two processes of torchrun train if $RETHINK_PYTHON (default: python3)
# has torch.
# cluster: SlurmdTimeout=10 MinJobAge=10
# only in make check-slurm: it takes minutes
# only with bin/rethink-worker: it trains
=== sites.yaml
two: {engine: slurm, sbatch: [--exclusive, --time=10:00], pilots: 2, ask_every: 1s}
===
=== template.yaml
sweep: s
seeds: [0, 1, 2, 3, 4]
resources: {device: cpu, threads: 1, checkpoint_every: 1s}
retry: {killed: 1000, lost: 1000}   # the test's kills are not the trials' faults
keep: weights
stages:
  ranks: {job: command, run: [sh, launch], code: [launch, ranks.py, rethink.py], seeds: [0], config: {steps: STEPS}, metrics: {dev/loss: min}}
  sum: {job: command, run: [sh, sum.sh, "{config.steps}"], code: [sum.sh], config: {steps: STEPS}, metrics: {dev/sum: max}}
  lm:
    job: lm
    data: {dataset: synthetic_language, sentences: 300}
    model: {preset: bet_lm, layers: 1, d_model: 16, ffn: 32, dropout: 0.1}
    seeds: [0, 1, 2, 3]
    grid: {model.attention.kind: [dense, bird_eye, diag_scale]}
    batch: 16
    steps: STEPS0
    log_every: 20
    evaluate: {every: 20, splits: [dev]}
  a: {job: noop, steps: STEPS, sleep_ms: 40, checkpoint_every: 2, grid: {tag: [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z, aa, bb, cc, dd]}}
  b: {job: noop, needs: {init: a}, steps: STEPS, sleep_ms: 40, checkpoint_every: 2}
===
=== sum.sh
step=0 sum=0
[ -z "$RETHINK_CHECKPOINT" ] || read -r step sum < "$RETHINK_CHECKPOINT/state"
say() { echo "$1" >> "$RETHINK_EVENTS"; }
while [ $step -lt $1 ]; do
  step=$((step + 1))
  (sleep 0.1; echo $(((sum * 31 + step + RETHINK_SEED) % 1000003)) > sum) & wait $!
  read -r sum < sum
  say "{\"metric\": \"dev/sum\", \"step\": $step, \"value\": $sum}"
  if [ $((step % 4)) = 0 ]; then
    mkdir -p "$RETHINK_SCRATCH/$step" && echo "$step $sum" > "$RETHINK_SCRATCH/$step/state"
    say "{\"checkpoint\": $step, \"path\": \"$RETHINK_SCRATCH/$step\", \"give\": true}"
  fi
done
echo "$sum" > result.txt
say '{"artifact": "result", "path": "result.txt"}'
===
=== launch
if PYTHON -c 'import torch' 2>/dev/null; then exec PYTHON -m torch.distributed.run --standalone --nproc-per-node=2 ranks.py; fi
RANK=1 PYTHON ranks.py &
RANK=0 PYTHON ranks.py && wait $!
===
=== ranks.py
import pathlib
import time
import rethink

try:
    import torch
    import torch.distributed as dist
except ImportError:
    torch = None

config, step, folder = rethink.config(), 0, rethink.resume()
if torch:
    torch.set_num_threads(1)
    torch.use_deterministic_algorithms(True)
    dist.init_process_group("gloo")
    torch.manual_seed(rethink.seed())
    model = torch.nn.Sequential(torch.nn.Linear(8, 32), torch.nn.Tanh(), torch.nn.Dropout(0.1), torch.nn.Linear(32, 1))
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    state = torch.load(folder / "state", weights_only=True) if folder else None
    if state:
        model.load_state_dict(state["model"])
        optimizer.load_state_dict(state["optimizer"])
        step = state["step"]
    trained = torch.nn.parallel.DistributedDataParallel(model)
else:
    loss = 1.0
    if folder:
        step, loss = (folder / "state").read_text().split()
        step, loss = int(step), float(loss)


def save(folder):
    if torch:
        torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict(), "step": step}, folder / "state")
    else:
        (folder / "state").write_text(f"{step} {loss!r}")


while step < config["steps"]:
    step += 1
    if torch:
        torch.manual_seed(1000 * step + dist.get_rank())
        x = torch.randn(16, 8)
        error = (trained(x) - x[:, :1] * x[:, 1:2]).square().mean()
        optimizer.zero_grad()
        error.backward()
        optimizer.step()
        loss = error.detach()
        dist.all_reduce(loss)
    else:
        loss = (loss * 31 + step) % 1.7
    time.sleep(0.05)
    rethink.log(step, **{"dev/loss": loss})
    if step % 2 == 0:
        rethink.checkpoint(step, save)
if torch:
    dist.barrier()
    weights = b"".join(value.numpy().tobytes() for value in model.state_dict().values())
else:
    weights = repr(loss).encode()
pathlib.Path("weights").write_bytes(weights)
rethink.artifact("weights", "weights")
===
=== numbers
rethink query "SELECT m.trial, m.split, m.name, m.step, m.value FROM metric m ORDER BY 1, 2, 3, 4" --format csv --store $1
cd $1/trials && find . -path '*/artifacts/*' -type f -exec sha256sum {} + | sort -k 2
===
$ cp "$FIXTURES/../../release/python/rethink/_trial.py" rethink.py; sed -i "s|PYTHON|$(command -v ${RETHINK_PYTHON:-python3})|g" launch; sed "s/STEPS/${KILLS:-20}/" template.yaml > s.yaml

$ unset RETHINK_PROGRAMS; rethink run s.yaml --store quiet --slots 8 --quiet; sh ./numbers quiet > local; grep -c weights local
<any>

$ unset RETHINK_PROGRAMS; kills.sh ${KILLS:-20} s.yaml sites.yaml 'sum.sh|ranks.py' 2> killed; sh ./numbers store | cmp - local; rethink query "SELECT outcome, count(*) AS n FROM attempt WHERE outcome = 'done' GROUP BY 1" --format csv
outcome,n
done,318

$ rethink db check
<any>
