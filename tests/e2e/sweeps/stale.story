# A file that trials read has changed: `table`, `why` and `status` say so in the words of `plan`.
=== print.sh
echo "step 1 acc=0.5"
===
=== print.yaml
sweep: print
seeds: [0]
stages:
  said:
    job: command
    run: [sh, print.sh, "{config.rate}"]
    code: [print.sh]
    metrics: {dev/acc: max}
    stdout: {dev/acc: 'step {step} acc={value}'}
    grid: {config.rate: [1, 2]}
===
$ rethink run print.yaml --quiet; echo 'echo "step 1 acc=0.6"' > print.sh; rethink plan print.yaml | grep -o 'stale: .*'
stale: done as <any> with other code: print.sh changed
stale: done as <any> with other code: print.sh changed

$ rethink status
print: 2 of 2 done
  2 trials are stale, such as <any>: done as <any> with other code: print.sh changed
no driver is running

$ rethink table print.yaml | grep stale
2 trials are stale, such as <any>: done as <any> with other code: print.sh changed

$ rethink figure print.yaml 2>&1 | grep 'not drawn'
print/said_curves: not drawn: 2 trials are stale, such as <any>: done as <any> with other code: print.sh changed
print/said_scores: not drawn: 2 trials are stale, such as <any>: done as <any> with other code: print.sh changed

$ rethink why print.yaml 1 dev/acc@last | grep stale
trial <id>: not in this store, it has yet to run; stale: done as <any> with other code: print.sh changed

# `accept` is for plug-ins, and says what helps here.
$ rethink accept print.sh
print.sh: there is nothing to accept; no done trial was made by a plug-in whose code has changed. Programs of `job: command` are no plug-ins: an edit of their code makes new trials. Take the edit back to have the earlier trials again, or set `code_version` before the first run (docs/how_to/command.md)
[exit 2]

$ rethink status --format json | grep -c 'with other code'
2

# Trials that ran again are not stale any more.
$ rethink run print.yaml --quiet; rethink status
print: 2 of 2 done
no driver is running

# A mean over trials of both codes has each seed twice.
$ rethink query --by config.rate --show 'mean_ci(dev/acc@last),n' --format csv
config.rate,mean_ci(dev/acc@last),n
1,0.55 ± 0.64,2
2,0.55 ± 0.64,2
note: trials that differ in snapshot (2 values) are averaged together; separate them with --by, or choose with --where
note: 2 seeds are in a mean several times: trials <id> and <id> have one configuration and seed 0, but differ in their code (snapshot). A mean has 2 trials of 1 seed, so n counts trials, and sd, sem and intervals are too small; leave out all but one with --where, as --where 'snapshot=<any>'
$ rethink query --by config.rate --show 'mean(dev/acc@last),n' --format csv --where "snapshot=$(ls -t store/code | head -1)"
config.rate,mean(dev/acc@last),n
1,0.6,1
2,0.6,1

# The trials that a stopped run left stay stale. After the edit is taken back, `status` says that its counts are those of the newest run; nothing is left to resume.
$ echo 'echo "step 1 acc=0.7"' > print.sh; rethink run print.yaml --quiet --max-trials 1 >/dev/null 2>&1; rethink status | grep stale; rethink plan print.yaml | grep -o 'stale: .*'; echo 'echo "step 1 acc=0.6"' > print.sh; rethink status; rethink table print.yaml 2>/dev/null | grep -c 'wait for trials'; true
  1 trial is stale: done as <any> with other code: print.sh changed
stale: done as <any> with other code: print.sh changed
print: 1 of 2 done, 1 ready
  these are the trials of the newest run; the files have changed since, and 2 of the 2 trials that they plan now are done
no driver is running
0
