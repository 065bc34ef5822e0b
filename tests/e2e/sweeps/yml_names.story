# A file may end in .yml in the place of .yaml: sweeps, presets and figures, by name and by path.
=== D/experiments/sweeps/mine.yml
sweep: mine
seeds: [0]
stages:
  train: {job: noop, preset: short}
===
=== D/experiments/presets/noop/short.yml
steps: 1
===
=== D/plots/figures/loss.yml
figure: loss
kind: curves
sweep: experiments/sweeps/mine.yml
stage: train
metric: train/loss
x: {label: steps}
y: {label: loss}
series: [{label: noop}]
===
$ rethink --path D plan mine --check; rethink --path D run mine --quiet; rethink --path D plan D/experiments/sweeps/mine.yml 2>&1 | grep '^mine'
mine train                      1        1        1        0        0        0

$ rethink --path D figure loss | head -1
out/figures/loss.svg

$ rethink --path D plan mnie 2>&1 | cut -c 1-47
there is no sweep 'mnie'; did you mean 'mine'?;

# Two files of one name are an error, not a choice of ours.
$ cp D/experiments/sweeps/mine.yml D/experiments/sweeps/mine.yaml; for command in plan run; do rethink --path D $command mine; done; rm D/experiments/sweeps/mine.yaml
D/experiments/sweeps/mine.yaml and D/experiments/sweeps/mine.yml have the same name; rename or remove one of them
D/experiments/sweeps/mine.yaml and D/experiments/sweeps/mine.yml have the same name; rename or remove one of them

# Another program writes the file into a pipe.
$ sed s/mine/piped/ D/experiments/sweeps/mine.yml | rethink --path D plan - --check; bash -c 'rethink --path D run <(sed s/mine/piped/ D/experiments/sweeps/mine.yml)' 2>&1 | grep done; cat store/piped/piped.yaml | head -1
1 of 1 trials done
sweep: piped
