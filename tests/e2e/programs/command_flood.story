# A program with too much output loses numbers, but no checkpoint and no last value, and the run goes on.
# not under ODD_PLACE, ONE_CORE, BARE: it takes long
=== flood.awk
BEGIN {
  for (i = 1; i <= 300000; i++) printf "{\"metric\": \"dev/acc\", \"step\": %d, \"value\": %d}\n", i, i >> ENVIRON["RETHINK_EVENTS"]
  print "{\"artifact\": \"program\", \"path\": \"flood.awk\"}" >> ENVIRON["RETHINK_EVENTS"]
}
=== flood.yaml
sweep: flood
stages:
  train:
    job: command
    run: [awk, -f, flood.awk]
    code: [flood.awk]
    metrics: {dev/acc: max}
===
$ rethink run flood.yaml --quiet; rethink query "select count(*) between 100000 and 200000 as kept, (select value from metric where name = 'acc@last') as last, (select count(*) from artifact) as artifacts from metric where name = 'acc'" --format csv; grep -ho 'more than 1,000 metrics[^"]*' store/trials/*/attempt-1/events.jsonl
kept,last,artifacts
1,300000.0,1
more than 1,000 metrics or texts a second for long, or 1 GB of events: of those that follow only some are kept; last and best values stay exact

# Texts that are left out are reported, too.
=== texts.awk
BEGIN {
  for (i = 1; i <= 150000; i++) printf "{\"text\": \"sample\", \"step\": %d, \"value\": \"x\"}\n", i >> ENVIRON["RETHINK_EVENTS"]
}
===
$ printf 'sweep: texts\nstages:\n  t: {job: command, run: [awk, -f, texts.awk], code: [texts.awk]}\n' >texts.yaml; rethink run texts.yaml --store texts --quiet; rethink query "select count(*) < 150000 as fewer from event where event = 'text'" --store texts --format csv; grep -ho 'more than 1,000 metrics or texts' texts/trials/*/attempt-1/events.jsonl
fewer
1
more than 1,000 metrics or texts

# 1 GB on standard output, 300 MB on standard error and 200 MB of garbage in place of reports take bounded disk and memory: the beginning and the end of each stream stay.
=== torrent.sh
line=$(printf '%0200d' 0)
yes "$line" | head -c 1000000000
printf '\nthe last words\n'
yes "$line" | head -c 300000000 >&2
printf '\nthe last errors\n' >&2
yes "$line" | head -c 200000000 >> "$RETHINK_EVENTS"
echo >> "$RETHINK_EVENTS"
for look in $(seq 600); do [ "$(du -m "$RETHINK_EVENTS" | cut -f 1)" -lt 50 ] && break; sleep 0.1; done
metric() { echo "{\"metric\": \"$1\", \"step\": 1, \"value\": $2}" >> "$RETHINK_EVENTS"; }
metric run/events_on_disk_mb "$(du -m "$RETHINK_EVENTS" | cut -f 1)"
metric run/worker_mb "$(($(sed -n 's/^VmHWM:[^0-9]*\([0-9]*\) kB/\1/p' /proc/$PPID/status) / 1024))"
metric dev/acc 1
===
=== torrent.yaml
sweep: torrent
stages:
  train:
    job: command
    run: [sh, torrent.sh]
    code: [torrent.sh]
    metrics: {dev/acc: max}
===
$ rethink run torrent.yaml --store torrent --quiet; cd torrent/trials/*/attempt-1; for file in log stderr; do echo $file: $(($(wc -c <$file) >> 20)) MiB; tail -n 1 $file; done; grep -c 'bytes are left out here' log stderr; grep -ho 'more than 256 MiB[^"]*' events.jsonl; grep -c 'not valid JSON' events.jsonl
log: 256 MiB
the last words
stderr: 256 MiB
the last errors
log:1
stderr:1
more than 256 MiB of standard output: the file log of the attempt gets only the first 256 MiB and the last 64 KiB
more than 256 MiB of standard error: the file stderr of the attempt gets only the first 256 MiB and the last 64 KiB
20

$ rethink query "select name, value < 50 as of_disk, value < 700 as of_memory from metric where split = 'run' order by name" --store torrent --format csv
name,of_disk,of_memory
events_on_disk_mb,1,1
worker_mb,<n>,1
