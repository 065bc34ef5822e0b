# Errors and notes have codes. With --format json, they are lines of JSON on standard error.
=== bad.yaml
sweep: bad
seeds: [0]
stages:
  train: {job: noop, stepz: 4, sleep_ms: many}
===
$ rethink plan bad.yaml --format json > plan.json 2> error.json; echo exit $?; cat plan.json; python3 -c "import json; error = json.load(open('error.json')); print(error['error'], error['exit']); [print(one['file'], one['line'], one['column'], one['error']) for one in error['problems']]"
exit 2
unknown-key 2
bad.yaml 4 22 unknown-key
bad.yaml 4 42 invalid-value

# The message is the same as without --format json.
$ rethink plan bad.yaml 2> error.txt; python3 -c "import json; print(json.load(open('error.json'))['message'] + '\n' == open('error.txt').read())"
True

# A note, too, has its code and its place.
=== draws.yaml
sweep: draws
seeds: [0]
stages:
  train: {job: noop, random: {count: 50, steps: {integer: [1, 3]}}}
===
$ rethink plan draws.yaml --format json > plan.json 2> note.json; python3 -c "import json; note = json.load(open('note.json')); print(note['file'], note['line'], note['column'], note['note'])"
draws.yaml 4 30 repeated-draws

$ rethink plan draws.yaml 2> note.txt >plan.txt; python3 -c "import json; print('draws.yaml:4:30: note: ' + json.load(open('note.json'))['message'] + '\n' == open('note.txt').read())"
True

$ rethink show 0123 --format json --store none
{"error":"no-store",<any>
[exit 2]

# RETHINK_MESSAGES=json shows codes beside an output that has no form in JSON.
$ RETHINK_MESSAGES=json rethink run bad.yaml 2>&1 | python3 -c "import json, sys; error = json.load(sys.stdin); print(error['error'], error['exit'], [one['error'] for one in error['problems']])"
unknown-key 2 ['unknown-key', 'invalid-value']

$ RETHINK_MESSAGES=json rethink plan draws.yaml 2>&1 >plan.txt | python3 -c "import json, sys; print(json.load(sys.stdin)['note'])"
repeated-draws

$ RETHINK_MESSAGES=text rethink plan draws.yaml 2>&1 >again.txt | cmp - note.txt

$ RETHINK_MESSAGES=yaml rethink plan draws.yaml
RETHINK_MESSAGES: got 'yaml', expected json or text
[exit 2]

# A failed attempt has the code of its error in its events and in the database.
=== fails.yaml
sweep: fails
seeds: [0]
stages:
  train: {job: noop, steps: 3, fail_at: 2}
===
$ rethink run fails.yaml --quiet 2>/dev/null; echo exit $?; grep -ho '"error":"[a-z-]*"' store/trials/*/attempt-1/events.jsonl
exit 1
"error":"test-failure"

$ rethink query "select distinct json_extract(facts, '$.error') as error from attempt" --format csv
error
test-failure
