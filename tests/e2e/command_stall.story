# `limits.stall` ends a program that reported ticks and then is silent, but no program with any kind of output.
=== own.yaml
sweep: own
stages:
  train:
    job: command
    run: [sh, -c, "{config.does}"]
    code: [own.yaml]
    limits: {stall: 3s}
    cases:
      how:
        hangs:  {config.does: "echo '{\"tick\": 1}' >> $RETHINK_EVENTS; sleep 1000"}
        prints: {config.does: "echo '{\"tick\": 1}' >> $RETHINK_EVENTS; for i in $(seq 25); do echo $i; sleep 0.2; done"}
        quiet:  {config.does: "sleep 5"}
        ticks:  {config.does: "for i in $(seq 25); do echo \"{\\\"tick\\\": 1, \\\"of\\\": 25}\" >> $RETHINK_EVENTS; sleep 0.2; done"}
===
$ rethink run own.yaml --slots 4 --quiet >/dev/null 2>&1; rethink query "select labels ->> 'how' as how, t.state, t.message from trial t join sweep_trial s on s.trial = t.id order by how" --format csv
how,state,message
hangs,failed,<any>no sign of life for 3 s, its limits.stall<any>
prints,done,
quiet,done,
ticks,done,
