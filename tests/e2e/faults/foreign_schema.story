# schema.json must be the worker's own, since ids and checks would otherwise belong to another program.
=== one.yaml
sweep: one
seeds: [0]
stages:
  train: {job: noop, steps: 2}
===
$ mkdir programs && cp $RETHINK_PROGRAMS/rethink-worker programs && sed 's/"build_id": "[0-9a-f]*"/"build_id": "0123"/' $RETHINK_PROGRAMS/schema.json >programs/schema.json

$ RETHINK_PROGRAMS=programs rethink run one.yaml
programs/schema.json belongs to another build of rethink-worker (0123, the program beside it is <id><any>): build the programs again (make), or copy them together
[exit 3]

$ rm programs/schema.json

$ RETHINK_PROGRAMS=programs rethink run one.yaml
programs/schema.json is missing: build the programs again (make), or install them together
[exit 3]
