# After a killed rm no command counts the removed trials, and the next command that may write finishes the removal.
=== s.yaml
sweep: s
seeds: [0, 1, 2]
stages: {train: {job: noop, steps: 2}}
===
=== readers
rethink query "SELECT (SELECT count(*) FROM runs) AS runs, (SELECT count(DISTINCT trial) FROM metric) AS metrics" --format csv
rethink query --show 'n(dev/score), n' --by stage --format csv
rethink status
rethink db check --hashes
rethink query "SELECT count(*) AS on_disk FROM main.trial" --format csv
===
$ rethink run s.yaml --quiet; ls store/trials | head -n 1 > trial; RETHINK_KILL_AT=after_trial_set_aside:1 rethink rm $(cat trial) >said 2>&1; sh readers
runs,metrics
2,2
stage,n(dev/score),n
train,2,2
s: 2 of 3 done, 1 not started
  to start these: rethink run s.yaml
no driver is running
note: trial <id>: was removed, but some of its files and rows are left (store/trials/.removed-<id>); the next `rethink rm`, `gc` or `run` removes them
the database is sound and says <any>, except for what the notes list
on_disk
3

# Its files are removed, but its rows are not.
$ rethink run s.yaml --quiet; ls -A store/trials | wc -l; rm store/kill_point; RETHINK_KILL_AT=after_trials_emptied:1 rethink rm $(cat trial) >said 2>&1; sh readers; rethink gc; rethink db check --hashes; rethink query "SELECT count(*) AS n FROM main.trial" --format csv
3
runs,metrics
2,2
stage,n(dev/score),n
train,2,2
s: 2 of 3 done, 1 not started
  to start these: rethink run s.yaml
no driver is running
note: trial <id>: was removed, but some of its files and rows are left (store/trials/.removed-<id>); the next `rethink rm`, `gc` or `run` removes them
the database is sound and says <any>, except for what the notes list
on_disk
3
removed <n> MB in 1 place
the database is sound and says <any>
n
2
