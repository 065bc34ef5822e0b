# The example of docs/sweeps.md is a sweep.
=== check.sh
sed -n '/^```yaml$/,/^```$/p' "$1/docs/sweeps.md" | sed '/^```/d' > first.yaml
===
$ sh check.sh "$(dirname "$(command -v rethink)")/../../.."

$ rethink plan first.yaml
stage                      trials distinct     done  running    ended   to run
mine/first train               12       12        0        0        0       12  time and disk unknown
mine/first best                 2        2        0        0        0        2  time and disk unknown
total                          14       14        0        0        0       14  time and disk unknown
...

$ rethink run first.yaml --profile smoke --quiet

$ rethink query "select count(*) as trials from trial where state = 'done'" --format csv
trials
6

# The default of an option is the job's, if it differs from the plug-in's.
$ rethink describe finetune | grep -A 1 '^  evaluate.keep '
  evaluate.keep                which weights the trial keeps: those of the last step, or the best on dev
                               last | best; default last

$ rethink describe finetune.evaluate.keep
job finetune: fine-tune an encoder on labels, questions or tags of words (SparseBERT, Tables 1 to 4)

options
  evaluate.keep  which weights the trial keeps: those of the last step, or the best on dev
                 last | best; default last
