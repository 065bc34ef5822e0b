# Words of a store that messages put into advised commands are quoted, so that a shell cannot run them.
=== s.yaml
sweep: s
stages:
  train: {job: noop, grid: {tag: [a, b]}}
=== l.yaml
sweep: l
stages:
  train:
    job: noop
    cases:
      $(touch P3):
        {a1: {tag: a1}, a2: {tag: a2}, a3: {tag: a3}, a4: {tag: a4}, a5: {tag: a5}, a6: {tag: a6}, a7: {tag: a7}, a8: {tag: a8}, a9: {tag: a9}, b1: {tag: b1}, b2: {tag: b2}, b3: {tag: b3}, b4: {tag: b4}, b5: {tag: b5}, b6: {tag: b6}, b7: {tag: b7}, b8: {tag: b8}}
===
# Messages repeat words of a sweep's newest run. Words that no version writes there are left out.
$ rethink run s.yaml --quiet --max-trials 1 --seeds 0,1 --data . 2>/dev/null; sed -i 's/"with":\[[^]]*\]/"with":["--data; touch P1 #=x","x",""]/; s/"checksum":"[0-9a-f]*",//; s/"choice":"[^"]*"/"choice":"--$(touch P2) 0"/' store/sweeps/*.json; rethink status | sed -n 2p
  resume with: rethink run s.yaml '--$(touch' 'P2) 0' '--data; touch P1 #' x

$ rethink run l.yaml --quiet --store l && rethink query --where '"$(touch P3)"=zz' --show n --store l 2>&1 | grep -o '(.rethink query.*'
(`rethink query --by '$(touch P3)' --store l` lists all)
$ rethink status > status.txt; sh -c "$(sed -n 's/.*resume with: rethink//p' status.txt | sed 's/^/true/')"; ls P* 2>&1
ls: cannot access 'P*': No such file or directory
[exit 2]
