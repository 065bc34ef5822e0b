# No command waits for a pipe in another user's folder of sweeps, presets and specs.
=== s.yaml
sweep: s
seeds: [0]
stages: {train: {job: noop, steps: 2}}
===
$ for d in experiments/sweeps experiments/presets/noop plots/tables plots/figures plots/claims; do mkdir -p $d && mkfifo $d/pipe.yaml; done

$ timeout 60 rethink plan pipe
there is no sweep 'pipe'; name a file, or one of: <any>
[exit 2]
$ timeout 60 rethink table pipe
there is no table 'pipe'; name a file, or one of: <any>
[exit 2]
$ timeout 60 rethink figure pipe
there is no figure 'pipe'; name a file, or one of: <any>
[exit 2]
$ timeout 60 rethink describe preset > presets; echo $?; grep -c pipe presets
0
0
[exit 1]
$ timeout 60 rethink run s.yaml
started   <id>  train seed 0
done      <id>  train seed 0  <any>
1 of 1 trials done
next: rethink table <any> or rethink figure <any>
$ timeout 60 rethink claims > said 2>&1; echo $?; grep -c pipe said
<n>
0
[exit 1]
