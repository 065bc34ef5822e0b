# A program that says too much costs itself numbers, never its checkpoints, its last values or the run.
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
more than 1,000 metrics a second for long, or 1 GB of events: of those that follow only some are kept; last and best values stay exact
