# An exact resume is claimed only after a test: `selftest --resume` kills the program at three places.
# not under ODD_PLACE, ONE_CORE, BARE: it takes long
=== good.sh
# Each step adds its number to a sum, which the checkpoint holds.
sum=0 step=0
[ -z "$RETHINK_CHECKPOINT" ] || { step=$(cat "$RETHINK_CHECKPOINT/step"); sum=$(cat "$RETHINK_CHECKPOINT/sum"); }
while [ $step -lt 8 ]; do
  step=$((step + 1)) sum=$((sum + step))
  echo "{\"metric\": \"dev/sum\", \"step\": $step, \"value\": $sum}" >> "$RETHINK_EVENTS"
  if [ $((step % 2)) = 0 ]; then
    mkdir -p "$RETHINK_SCRATCH/$step" && echo $step > "$RETHINK_SCRATCH/$step/step" && echo $sum > "$RETHINK_SCRATCH/$step/sum"
    echo "{\"checkpoint\": $step, \"path\": \"$RETHINK_SCRATCH/$step\"}" >> "$RETHINK_EVENTS"
  fi
  while [ -e "$1" ] && [ $step = 5 ] && [ -z "$RETHINK_CHECKPOINT" ]; do sleep 0.05; done
done
echo $sum > sum.txt
echo '{"artifact": "sum", "path": "sum.txt"}' >> "$RETHINK_EVENTS"
=== good.yaml
sweep: good
stages:
  train:
    job: command
    run: [sh, good.sh, "{config.wait}"]
    code: [good.sh]
    config: {wait: /nowhere}
    metrics: {dev/sum: max}
=== table.yaml
table: good
title: Sums
sweep: good.yaml
stage: train
metric: dev/sum@last
rows: {axis: config.wait}
columns: [{label: sum}]
===
# A trial that resumed is marked until its code is verified.
=== interrupt.sh
touch wait
sed "s,/nowhere,$PWD/wait," good.yaml >waits.yaml
rethink run waits.yaml >/dev/null 2>&1 &
driver=$!
for i in $(seq 1200); do grep -q '"step":5' store/trials/*/attempt-1/events.jsonl 2>/dev/null && break; sleep 0.05; done
kill -INT $driver
wait $driver
rm wait
rethink run waits.yaml --quiet
sed 's/^table: good/table: waits/; s/good.yaml/waits.yaml/; s/^rows.*/rows: [{label: all, where: {}}]/' table.yaml >waits_table.yaml
===
$ sh interrupt.sh; rethink table waits_table.yaml
waits: Sums

           sum
──────────────
all  36.00 [a]
──────────────
[a] resume not verified: 1 of 1 trials resumed from a checkpoint; `rethink selftest --resume TRIAL` verifies their code
no profile; one seed, so without a spread
too few seeds: got 1, wanted 3

$ rethink selftest --resume $(ls store/trials) && rethink table waits_table.yaml
an undisturbed run
killed after the first checkpoint
resumed, and killed within the next checkpoint
resumed, and killed after a later checkpoint
resumed to the end
3 kills: metrics and artifacts are equal; resumes of this code on cpu are verified
waits: Sums

       sum
──────────
all  36.00
──────────
no profile; one seed, so without a spread
too few seeds: got 1, wanted 3

# The proof is copied with the code into another store.
$ rethink db merge store --store merged --quiet; ls store/code merged/code | grep -c resume.json; ls -A | grep selftest
1 trial added, 0 already known, 0 unfinished or running; 1 sweep changed
2
[exit 1]

# A program that forgets a part of its state is found, and so is one whose numbers differ with the same seed.
$ sed 's/^\( *\)\[ -z.*/\1[ -z "$RETHINK_CHECKPOINT" ] || step=$(cat "$RETHINK_CHECKPOINT\/step")/' good.sh >forgets.sh && sed 's/good/forgets/' good.yaml >forgets.yaml && rethink run forgets.yaml --store forgets --quiet; rethink selftest --resume $(ls forgets/trials) --store forgets --quiet
dev/sum of step 3: 6.0 undisturbed, 3.0 resumed
dev/sum of step 4: 10.0 undisturbed, 7.0 resumed
...
and 2 more
3 kills: NOT equal; something that the next step depends on is not in the checkpoint: parameters, optimizer, random generators, place in the data
[exit 1]

# Its scratch folder is removed; gc names one that a failed selftest left.
$ ls -A forgets | grep selftest; mkdir -p forgets/.rethink-selftest-1; rethink gc --store forgets
removed <any>
<any>forgets/.rethink-selftest-1 (0.0 MB) is of a selftest that runs or has failed; remove it if none runs

$ sed 's/^sum=0/sum=$(date +%N | sed "s,^0*,,")/' good.sh >chance.sh && sed 's/good/chance/' good.yaml >chance.yaml && rethink run chance.yaml --store chance --quiet; rethink selftest --resume $(ls chance/trials) --store chance --quiet 2>/dev/null; ls forgets/code chance/code | grep resume
3 kills: NOT equal; two undisturbed runs differ too: seed the program by $RETHINK_SEED, and use deterministic operations
[exit 1]

# A program that cannot be tested gets the reason.
$ sed 's/-lt 8/-lt 2/' good.sh >short.sh && sed 's/good/short/' good.yaml >short.yaml && rethink run short.yaml --store short --quiet && rethink selftest --resume $(ls short/trials) --store short --quiet; rethink selftest --resume 0000
--resume: trial <id> kept 1 checkpoints, expected 2 or more: let the program report more, or choose a trial that runs longer
--resume: no trial's id begins with '0000'
[exit 2]

$ printf 'sweep: noop\nstages: {one: {job: noop, steps: 1}}\n' >noop.yaml; rethink run noop.yaml --store noop --quiet; rethink selftest --resume $(ls noop/trials) --store noop
--resume: trial <id> is of the job 'noop', expected one that runs a program, such as 'command'; `rethink selftest --sweep FILE` tests sweeps of any job
[exit 2]
