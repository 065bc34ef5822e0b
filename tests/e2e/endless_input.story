# Files that mean more than anybody can run end in a message at once, whatever they would expand to.
=== grid.yaml
sweep: grid
stages:
  train:
    job: noop
    grid:
      steps: {from: 1, to: 100, step: 1}
      sleep_ms: {from: 1, to: 100, step: 1}
      allocate_mb: {from: 1, to: 100, step: 1}
      checkpoint_mb: {from: 1, to: 100, step: 1}
      tag: {from: 1, to: 100, step: 1}
===
$ timeout 20 rethink plan grid.yaml
grid.yaml:3:3: error: stage 'train' makes 10000000000 points (<any>), expected at most 100000, before 'exclude'; take fewer values or axes
...
[exit 2]

$ { echo 'a: &a "'; seq 30000; echo '"'; printf 'b: ['; yes '*a,' | head -20000; echo ']'; } >laughs.yaml; timeout 20 rethink plan laughs.yaml
laughs.yaml:<n>:1: error: anchors and aliases expand to more than 100000 nodes or 4 MiB of text
...
[exit 2]

$ { printf 'sweep: s\nstages:\n'; for s in $(seq 100); do printf '  s%s:\n    job: noop\n' $s; seq -f '    stepz%g: 1' 1900; done; } >unknown.yaml; timeout 20 rethink plan unknown.yaml 2>&1 | tail -1
... and <n> more

$ timeout 20 rethink plan grid.yaml --seeds 0..9223372036854775807
--seeds: got '0..9223372036854775807', expected at most 100000 seeds
[exit 2]

$ { printf '{'; yes '"",' | head -60000 | tr -d '\n'; } >quotes.yaml; timeout 20 rethink plan quotes.yaml
quotes.yaml:1:1: error: this '{' is not closed
...
[exit 2]

$ yes '[' | head -200000 | tr -d '\n' >deep.yaml; timeout 20 rethink plan deep.yaml
deep.yaml:1:101: error: nested deeper than 100 levels
...
[exit 2]
