# A result.json that disagrees with the events of its trial is named, and the advised commands make it again. Files of
# version 0.1.0 have no checksum. Of two whole files one may be another trial's.
$ cp -r $FIXTURES/version_0_1_0/kept old && cp $FIXTURES/version_0_1_0/arms.yaml . && cp -r old first && rethink run arms.yaml --store old --set stages.broken=null --quiet && cp -r old named && cp -r old chosen && cp -r old looping

# The first run makes the database again, so it finds a changed digit in the SHA-256 of weights.
$ sed -i 's/f7e2529e75023c4/f7e2529e75023c5/' first/trials/ffbf*/result.json && rethink run arms.yaml --store first --set stages.broken=null
<any>first/rethink.db: had no checksums and was made again from the trials' folders; the old one is now <any>first/rethink.db.format1
<any>1 trial lost numbers: ffbf3132d5132b1629f1; the old database, which has these numbers, is now <any>first/rethink.db.format1
lost      <id>  train tag=b seed 0: its result.json is damaged (artifacts: not what its events say); the trial runs again; it is tried again
started   <id>  train tag=b seed 0
done      <id>  train tag=b seed 0  <t>  dev/score@last 0.78268
7 of 7 trials done
next: rethink table <any> or rethink figure <any>

# Later the trial that reads the weights names the file; `retry` of that trial and `run` make both again.
$ sed -i 's/f7e2529e75023c4/f7e2529e75023c5/' old/trials/ffbf*/result.json
$ rethink db check --hashes --store old
trial ffbf3132d5132b1629f1: old/trials/ffbf3132d5132b1629f1/result.json is damaged (artifacts: not what its events say); `rethink retry ffbf3132d5132b1629f1 --store old` and the next run of its sweep make it again; a rebuild before that loses its numbers
<n> files of version 0.1.0 without a checksum, checked member by member
[exit 1]
$ rethink run arms.yaml --store old --set stages.tune.steps=4 --set stages.broken=null --quiet 2>&1 | grep ^failed:
failed: <id>  tune seed 0: needs trial ffbf3132d5132b1629f1: <any>/result.json is damaged (artifacts: not what its events say); retry trial <id> and run its sweep again, which makes trial ffbf3132d5132b1629f1 again, too
$ rethink retry arms.yaml --store old
<n> trial<any> may run again
$ rethink run arms.yaml --store old --set stages.tune.steps=4 --set stages.broken=null --quiet && rethink db check --hashes --store old
<n> files of version 0.1.0 without a checksum, checked member by member
the database is sound and says what the folders say: every row, event and artifact was compared; nothing was computed again

# The same works with the trial's own name, as `db check` advises.
$ sed -i 's/f7e2529e75023c4/f7e2529e75023c5/' named/trials/ffbf*/result.json && rethink retry ffbf --store named 2>&1 | tail -1
1 trial may run again
$ rethink run arms.yaml --store named --set stages.broken=null --quiet && rethink db check --hashes --store named
<n> files of version 0.1.0 without a checksum, checked member by member
the database is sound and says what the folders say: every row, event and artifact was compared; nothing was computed again

# An earlier version's run had set the changed result aside, and failed repeatedly at the comparison.
$ sed -i 's/f7e2529e75023c4/f7e2529e75023c5/' looping/trials/ffbf*/result.json && mv looping/trials/ffbf3132d5132b1629f1/result.json looping/trials/ffbf3132d5132b1629f1/old_result.json
$ rethink db check --hashes --store looping 2>&1 | grep old_result
trial <id>: <any>/old_result.json is damaged (artifacts: not what its events say); remove it: the repeated result is then compared with nothing
$ rethink run arms.yaml --store looping --set stages.broken=null --quiet && grep -h old_result looping/trials/ffbf*/attempt-2/log
<any>old_result.json is damaged (artifacts: not what its events say): the repeated result is not compared with it

# One digit of the winner's name is changed.
$ sed -i 's/"seed":0,"trial":"ffbf3/"seed":0,"trial":"ffbf4/' chosen/trials/640b*/result.json && rethink db check --hashes --store chosen 2>&1 | grep ^trial
trial 640bcf988fdc0254529f: <any>/result.json is damaged (selected: not what its events say); `rethink retry 640bcf988fdc0254529f --store chosen` and the next run of its sweep make it again; a rebuild before that loses its numbers
$ rethink run arms.yaml --store chosen --set stages.tune.steps=4 --set stages.broken=null --quiet 2>&1 | grep ^failed: | head -1
failed: <id>  tune seed 0: needs trial 640bcf988fdc0254529f: <any>/result.json is damaged (selected: not what its events say); retry trial <id> and run its sweep again, which makes trial 640bcf988fdc0254529f again, too
$ rethink retry arms.yaml --store chosen
<n> trial<any> may run again
$ rethink run arms.yaml --store chosen --set stages.tune.steps=4 --set stages.broken=null --quiet && rethink db check --hashes --store chosen
<n> files of version 0.1.0 without a checksum, checked member by member
the database is sound and says what the folders say: every row, event and artifact was compared; nothing was computed again

# The winner is changed in a file of today without a checksum: no child trains from its weights.
=== s.yaml
sweep: s
seeds: [0]
stages:
  train: {job: noop, steps: 3, grid: {tag: [a, b]}}
  best: {job: select, needs: {from: train}, over: [tag], by: dev/score}
  next: {job: noop, steps: 2, needs: {init: best}}
===
=== change.py
import glob, json
results = {file: json.load(open(file)) for file in glob.glob('store/trials/*/result.json')}
file, select = next(item for item in results.items() if 'selected' in item[1])
winner = select['selected']['seeds'][0]['trial']
other = next(result['trial'] for result in results.values() if result['trial'] not in (winner, select['trial']) and result['artifacts'])
del select['checksum']
select['selected']['seeds'][0]['trial'] = other
open(file, 'w').write(json.dumps(select) + '\n')
===
$ rethink run s.yaml --quiet && python3 change.py && rethink run s.yaml --set stages.next.steps=3 --quiet 2>&1 | grep ^failed:
failed: <id>  next seed 0: needs trial <id>: <any>/result.json is damaged (selected: not what its trial.json says; selected, artifacts: not what its events say); retry trial <id> and run its sweep again, which makes trial <id> again, too
$ rethink retry s && rethink run s.yaml --set stages.next.steps=3 --quiet && rethink db check --hashes
1 trial may run again
the database is sound and says what the folders say: every row, event and artifact was compared; nothing was computed again

# The seed is not the trial's. No event has the seed.
=== seed.py
import glob, json
for file in sorted(glob.glob('store/trials/*/result.json')):
    result = json.load(open(file))
    if result['seed'] == 0:
        del result['checksum']
        result['seed'] = 1
        open(file, 'w').write(json.dumps(result) + '\n')
        open('trial', 'w').write(result['trial'])
        break
===
$ python3 seed.py && rethink db check --hashes | grep -o 'is damaged (.*)'; rethink retry $(cat trial) && rethink run s.yaml --quiet && rethink db check --hashes
is damaged (seed: not what its trial.json says)
1 trial may run again
the database is sound and says what the folders say: every row, event and artifact was compared; nothing was computed again

# The events of two done trials, of equal length, are exchanged. Both results have their checksum, and the events name their trial. A rebuild does not take the other trial's numbers.
=== ten.yaml
sweep: ten
seeds: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]
stages:
  t: {job: noop, steps: 3, grid: {tag: [a, b]}}
===
=== swap.py
import glob, os
files = sorted(glob.glob('ten/trials/*/attempt-1/events.jsonl'), key=os.path.getsize)
one, other = next((a, b) for a, b in zip(files, files[1:]) if os.path.getsize(a) == os.path.getsize(b))
os.rename(one, 'x')
os.rename(other, one)
os.rename('x', other)
===
$ rethink run ten.yaml --store ten --quiet && rethink query "SELECT trial, score FROM runs ORDER BY trial" --store ten --format csv > before.csv
$ python3 swap.py; rethink db check --hashes --store ten
trial <id>: <any>/events.jsonl was damaged after byte 0 since it was read; a rebuild loses its numbers; to restore it: rethink rm <id> --store ten, then run its sweep
trial <id>: <any>/events.jsonl was damaged after byte 0 since it was read; a rebuild loses its numbers; to restore it: rethink rm <id> --store ten, then run its sweep
[exit 1]
$ rethink db merge ten --store empty
not merged: trial <id>: <any>/events.jsonl is damaged
not merged: trial <id>: <any>/events.jsonl is damaged
18 trials added, <any>
[exit 1]
$ rethink db rebuild --store ten
trial <id>: <any>: its events are damaged; the next run makes it again
trial <id>: <any>: its events are damaged; the next run makes it again
2 trials lost numbers: <any>; the old database, which has these numbers, is now <any>rethink.db.damaged-1, which `rethink gc --store ten` removes
20 trials, 1 sweep
[exit 1]
$ rethink status --store ten | head -1
ten: 18 of 20 done, 2 ready
$ rethink run ten.yaml --store ten --quiet && rethink query "SELECT trial, score FROM runs ORDER BY trial" --store ten --format csv | cmp - before.csv && rethink db check --hashes --store ten
the database is sound and says what the folders say: every row, event and artifact was compared; nothing was computed again
