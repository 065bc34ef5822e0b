# `limits.stall` ends a program that reported ticks and then is silent, but no program with any kind of output.
# `limits.time` ends any program.
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

# No process of a program that took too long is left.
=== long.yaml
sweep: long
stages:
  train:
    job: command
    run: [sh, -c, "setsid sleep 98127 & sleep 98127"]
    code: [long.yaml]
    limits: {time: 1s, grace: 1s}
===
$ id=$((1000000 + $$)); sed -i "s/98127/$id/g" long.yaml; rethink run long.yaml --store long --quiet 2>/dev/null; echo "exit $?"; rethink query "select outcome, message from attempt" --store long --format csv; grep -lzx "$id\$" /proc/[0-9]*/cmdline 2>/dev/null | wc -l
exit 1
outcome,message
timeout,"worked longer than 1 s, its limits.time"
0

# A program that ends by a signal is retried within the limit; the message says how the attempt before ended.
=== shot.yaml
sweep: shot
stages:
  train:
    job: command
    run: [sh, -c, "sleep 2; kill -9 $$"]
    code: [shot.yaml]
    limits: {time: 3s, grace: 1s}
===
$ rethink run shot.yaml --store shot --quiet >/dev/null 2>&1; rethink query "select state, message from trial" --store shot --format csv
state,message
failed,"worked longer than 3 s, its limits.time, in several attempts; the attempt before ended: sh: ended by signal 9 (Killed)"
