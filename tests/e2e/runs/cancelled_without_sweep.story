# The cancellation of a trial that is in no sweep any more is in its folder, and survives a rebuild of the database.
=== s.yaml
sweep: s
seeds: [0, 1]
stages:
  train: {job: noop, steps: 2}
===
=== state
rethink query "SELECT state FROM trial WHERE seed = 1" --format csv | tail -n 1
===
$ rethink run s.yaml --max-trials 1 --quiet 2>/dev/null; sed -i 's/\[0, 1\]/[0]/' s.yaml; rethink run s.yaml --quiet; rethink query "SELECT id FROM trial WHERE seed = 1" --format csv | tail -n 1 > id
$ rethink cancel $(cat id); rethink db check --hashes; rethink db rebuild; sh state
cancelled 1 trial
the database is sound and says what the folders say: every row, event and artifact was compared; nothing was computed again
2 trials, 1 sweep
cancelled

# `retry` takes it back, and so does the run of a sweep that has the trial again.
$ rethink retry $(cat id); rethink db rebuild; sh state
1 trial may run again
2 trials, 1 sweep
ready
$ rethink cancel $(cat id); sed -i 's/\[0\]/[0, 1]/' s.yaml; rethink run s.yaml --quiet; sh state; ls store/trials/$(cat id)/state.json 2>/dev/null
cancelled 1 trial
done
[exit 2]
