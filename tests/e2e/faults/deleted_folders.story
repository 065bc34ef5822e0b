# Trials whose folders were deleted by hand are removed from the record by `rm`, like all others.
=== s.yaml
sweep: s
seeds: [0, 1]
stages: {train: {job: noop, steps: 2}}
===
=== t.yaml
sweep: t
seeds: [0]
stages: {train: {job: noop, steps: 3}}
===
$ rethink run s.yaml t.yaml --quiet
$ rethink query "SELECT id FROM trial ORDER BY seed, json_extract(configuration, '$.steps')" --format csv | tail -n +2 > trials; rm -r store/trials/$(head -1 trials)
$ rethink rm --yes s
removed sweep s, 2 trials, <n> files, <n> MB
$ ls -A store store/trials | grep 'damaged\|removed'
[exit 1]
$ rethink query "SELECT sweeps, state FROM runs" --format csv
sweeps,state
t,done
$ rm -r store/trials/$(sed -n 2p trials) && rethink rm $(sed -n 2p trials) && rethink query "SELECT count(*) AS n FROM runs" --format csv && ls -A store | grep damaged
removed 1 trial, 0 files, 0.0 MB
n
0
[exit 1]
$ rethink run t.yaml --quiet && rethink db check --hashes
the database is sound and says what the folders say: every row, event and artifact was compared; nothing was computed again
