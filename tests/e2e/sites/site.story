# `run --site`: pilots at the site run the trials; the command submits them and returns, and collects their results when it is repeated.
=== rates.yaml
sweep: rates
seeds: [0, 1]
stages:
  train: {job: noop, steps: 5, checkpoint_every: 1, grid: {tag: [a, b]}}
  more: {job: noop, needs: {init: train}, steps: 2}
===
=== bad.yaml
sweep: bad
seeds: [0]
stages:
  train: {job: noop, steps: 4, grid: {fail_at: [9, 2]}}
===
=== sites.yaml
two:
  engine: local
  pilots: 2
gone:
  engine: local
  wrap: ./missing-program
torn:
  engine: local
  wrap: sh cut
===
=== cut
# A disk that loses the end of the plan before the pilot reads it.
for plan in torn/pilots/*/plan.json; do head -c 100 $plan > half && cp half $plan; done
exec "$@"
===
=== collect
# Gives the command until the trials have ended.
for look in $(seq 300); do rethink run "$@" --quiet; code=$?; [ $code = 4 ] || break; sleep 0.2; done; exit $code
===
$ rethink run rates.yaml --site local
submitted 1 pilot to site local: <any>
0 of 8 trials done; come back with: rethink run rates.yaml --site local
[exit 4]

$ sh ./collect rates.yaml --site local

$ rethink run rates.yaml --site local
8 of 8 trials done
next: rethink table rates.yaml or rethink figure rates.yaml

# The numbers and weights are those of a run on this machine, and every attempt was the first.
=== numbers
rethink query "SELECT m.trial, m.split, m.name, m.step, m.value FROM metric m ORDER BY 1, 2, 3, 4" --format csv --store $1
rethink query "SELECT trial, number, outcome FROM attempt ORDER BY 1, 2" --format csv --store $1
===
$ rethink run rates.yaml --store quiet --quiet; sh ./numbers store > pilots.csv; sh ./numbers quiet > local.csv; cmp pilots.csv local.csv && wc -l < pilots.csv
<n>

# The first command after their end removes the files for the pilots.
$ for look in $(seq 100); do [ -e store/pilots ] || break; sleep 0.1; rethink run rates.yaml --site local --quiet; done; ls store/pilots 2> no_folder || echo removed
removed

# Two pilots share the trials; --wait stays and shows which trials began and ended.
$ rethink run rates.yaml --site two --sites sites.yaml --wait --store both | tail -n 2
...
8 of 8 trials done
next: rethink table rates.yaml --store both or rethink figure rates.yaml --store both

$ sh ./numbers both | cmp - local.csv && rethink db rebuild --store both && sh ./numbers both | cmp - local.csv
8 trials, 1 sweep

# A trial fails in a pilot.
$ rethink run bad.yaml --site local --wait --store bad | grep -v submitted
...
failed: <id>  train fail_at=2 seed 0: fail_at: step 2 fails
  log: <any>
1 of 2 trials done, 1 failed
to repeat failed and cancelled trials: rethink retry bad.yaml --store bad && rethink run bad.yaml --site local --store bad
[exit 1]

$ rethink run bad.yaml --site local --store bad --quiet
failed: <id>  train fail_at=2 seed 0: fail_at: step 2 fails
  log: <any>
to repeat failed and cancelled trials: rethink retry bad.yaml --store bad && rethink run bad.yaml --site local --store bad
[exit 1]

# A pilot opens no database: it runs where there is none, and makes none.
$ rethink run rates.yaml --site local --store base --quiet; code=$?; for look in $(seq 300); do [ $(ls -d base/trials/*/result.json 2>/dev/null | wc -l) = 8 ] && break; rm -f base/rethink.db*; sleep 0.1; done; sleep 0.5; ls base | grep -c rethink.db; exit $code
0
[exit 4]

# The site has faults.
$ rethink run rates.yaml --site tow --sites sites.yaml
sites.yaml: there is no site 'tow'; did you mean 'two'?; the file has two, gone, torn
[exit 2]

$ printf 'two: {engine: local, pilot: 2}\n' > bad_sites.yaml; rethink run rates.yaml --site two --sites bad_sites.yaml
bad_sites.yaml:1:22: error: unknown key 'pilot'; did you mean 'pilots'?; known: <any>
  two: {engine: local, pilot: 2}
                       ^
[exit 2]

$ rethink run rates.yaml --site local --max-trials 1
--max-trials: does not go with --site, whose pilots run all trials; write trials_per_pilot in sites.yaml, or leave the option out
[exit 2]

$ rethink run rates.yaml --wait
--wait: has no meaning without --site
[exit 2]

# If pilots cannot start, the repeated command gives the reason, and may be repeated again.
$ rethink run rates.yaml --site gone --sites sites.yaml --store gone --quiet; sh ./collect rates.yaml --site gone --sites sites.yaml --store gone
site 'gone': the pilots have ended, and trials are left: <any>missing-program: not found; correct the cause and give the same command again
[exit 3]

# A damaged plan stops its pilots, and nobody else once they have ended.
$ rethink run rates.yaml --site torn --sites sites.yaml --store torn --quiet; until ls torn/pilots/*/*.failed >/dev/null 2>&1; do sleep 0.05; done; while kill -0 "$(ls torn/pilots/*/*.failed | sed 's|.*/||; s|[.].*||')" 2>/dev/null; do sleep 0.05; done; cat torn/pilots/*/logs/*
pilot <any> on <any>
<any>/plan.json is damaged (<any>): cancel its pilots, and give the command that submitted them again

$ sh ./collect rates.yaml --site local --store torn && rethink status --store torn | head -1
rates: 8 of 8 done

# Pilots that wait in the queue will run the trials: the repeated command submits no more of them.
=== few.yaml
sweep: few
seeds: [0]
stages:
  train: {job: noop, steps: 2, grid: {tag: [a, b, c]}}
===
=== queue.yaml
busy:
  engine: commands
  pilots: 8
  submit: "cat > job; echo >> jobs; wc -l < jobs"
  states: "for job in {jobs}; do echo $job pending; done"
  cancel: "true"
  job: $JOB
===
$ rethink run few.yaml --site busy --sites queue.yaml --store few
submitted 3 pilots to site busy: 1, 2, 3
0 of 3 trials done; come back with: <any>
[exit 4]

$ rethink run few.yaml --site busy --sites queue.yaml --store few
pilots of site busy: 1 waits, 2 waits, 3 waits
0 of 3 trials done; come back with: <any>
[exit 4]

# Another site for the sweep: the command names the pilots of the first one.
$ rethink run few.yaml --site local --store few
pilots of site busy: 1 waits, 2 waits, 3 waits
submitted 1 pilot to site local: <any>
<any> of 3 trials done; come back with: <any>
[exit 4]

$ sh ./collect few.yaml --site local --store few; rethink query "SELECT count(*) AS n, max(number) AS last FROM attempt" --format csv --store few
n,last
3,1
