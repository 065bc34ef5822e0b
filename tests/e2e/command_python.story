# The page's program in Python, as a reader copies it: it is killed, and its numbers are those of a quiet run.
# not under ODD_PLACE, ONE_CORE, BARE: it takes long
$ sed -n '/^```python$/,/^```$/{//!p}' "$FIXTURES/../../docs/how_to/command.md" >train.py; cp "$FIXTURES/../../release/python/rethink/_trial.py" rethink.py; sed -n '/^```yaml$/,/^```$/p' "$FIXTURES/../../docs/how_to/command.md" | sed '/^```$/q' | sed '/^```/d; s/steps: 5000/steps: 300/; s/seeds: .*/seeds: [0]/' >own.yaml; echo '    code: [train.py, rethink.py]' >>own.yaml; cat own.yaml
sweep: own
seeds: [0]
stages:
  train:
    job: command
    run: [python3, train.py]
    config: {steps: 300}
    grid: {config.lr: [0.1, 0.3]}
    metrics: {dev/acc: max}
    code: [train.py, rethink.py]

$ rethink run own.yaml --quiet && rethink query 'select "config.lr" as lr, score from runs order by lr' --format csv
lr,score
0.1,0.99999<n>
0.3,0.99999<n>

$ rethink selftest --sweep own.yaml --chaos 4
killing drivers, zygotes and workers of own.yaml 4 times in <any>
4 kills: 0 lost, 0 doubled, bit-equal
(<n> of drivers, <n> of zygotes, <n> of workers, <n> at one of <n> kill points; <n> run<any>)
