# A script without rethink becomes a LaTeX table: first unchanged, read by its output; then with four more lines, killed and resumed.
# not under ODD_PLACE, ONE_CORE, BARE: it trains for some seconds
=== train.py
import argparse, os, pickle, random, time

parser = argparse.ArgumentParser()
parser.add_argument("--lr", type=float, default=0.1, help="learning rate")
parser.add_argument("--steps", type=int, default=40)
parser.add_argument("--seed", type=int, default=0)
parser.add_argument("--out", default="out")
args = parser.parse_args()
random.seed(args.seed)
os.makedirs(args.out, exist_ok=True)
start, w = 0, random.gauss(0, 1)
last = os.path.join(args.out, "last.pkl")
if os.path.exists(last):
    start, w, state = pickle.load(open(last, "rb"))
    random.setstate(state)
for step in range(start + 1, args.steps + 1):
    w += args.lr * (1 - w + random.gauss(0, 0.1))
    time.sleep(0.02)
    if step % 10 == 0:
        accuracy = 1 / (1 + (1 - w) ** 2)
        print(f"step {step} acc={accuracy:.4f}")
        pickle.dump((step, w, random.getstate()), open(os.path.join(args.out, "last.pkl"), "wb"))
===
$ rethink init train.py 2>&1 | grep -c 'next: `rethink run train.yaml`'; grep -E '^ *(run|--seed|--lr|metrics|dev|run/acc)' train.yaml
1
    run: [python3, train.py,
      --lr, "{config.lr}",
      --seed, "{seed}",
    metrics: {run/acc: max}
      run/acc: 'step {step} acc={value}'

=== own.yaml
sweep: own
seeds: [0, 1]
stages:
  train:
    job: command
    run: [python3, train.py, --seed, "{seed}", --lr, "{config.lr}"]
    code: [train.py]
    grid: {config.lr: [0.1, 0.3]}
    metrics: {dev/acc: max}
    stdout: {dev/acc: 'step {step} acc={value}'}
===
$ rethink run own.yaml --quiet && rethink table own.yaml --format latex | grep -E '^0.[13] &'
0.1 & <any> $\pm$ <any> \\
0.3 & <any> $\pm$ <any> \\

# With four more lines it reports its numbers and its own checkpoint, and begins at the given checkpoint.
$ cp "$FIXTURES/../../release/python/rethink/_trial.py" rethink.py; cp train.py as_it_was.py; sed -i -e '1i import rethink' -e 's/^last = .*/last = os.path.join(rethink.resume() or args.out, "last.pkl")/' train.py; printf '        rethink.log(step, **{"dev/acc": accuracy})\n        rethink.checkpoint(step, args.out)\n' >>train.py; diff as_it_was.py train.py | grep -c '^>'; sed -i -e '/stdout:/d' -e 's/code: .*/code: [train.py, rethink.py]/' own.yaml; rethink run own.yaml --store quiet --quiet
4

$ rethink run own.yaml --slots 4 >/dev/null 2>&1 & driver=$!; for i in $(seq 1200); do grep -q '"checkpoint"' store/trials/*/attempt-1/events.jsonl 2>/dev/null && break; sleep 0.05; done; kill -INT $driver; wait $driver; echo $?; rethink run own.yaml --quiet; rethink query "select outcome, count(*) > 0 as some from attempt where resume_step > 0 group by outcome" --format csv; for store in quiet store; do rethink query 'select "config.lr" as lr, seed, score from runs where "config.lr" is not null and job = '"'command'"' and trial in (select trial from metric where step = 40) order by lr, seed, score' --store $store --format csv | sort -u >$store.csv; done; join -v 1 quiet.csv store.csv
130
outcome,some
done,1

$ rethink table own.yaml --format latex | grep -cE '^0.[13] &|resume not verified'; rethink selftest --resume $(rethink query "select trial from attempt where resume_step > 0 limit 1" --format csv | tail -1) --quiet; rethink table own.yaml --format latex | grep -c 'resume not verified'
3
3 kills: metrics and artifacts are equal; resumes of this code on cpu are verified
0
[exit 1]
