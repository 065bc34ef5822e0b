# Trials that share the device: the first trial of a shape is alone until its first checkpoint. Later ones are
# packed by the memory that it used, but at most resources.max_per_gpu at once.
set -eu
run() { # STORE [WORDS]
  local store=$1
  shift
  "$RETHINK" run "$BUNDLE/proof/sweeps/packing.yaml" --store "$store" --device "$DEVICE" --slots 2 -q "$@"
  "$RETHINK" query --store "$store" --format csv "
    select event, json_extract(body, '$.at') as at from event where event in ('start', 'end') order by at" >"$store.csv"
}
most_at_once() { # STORE
  "$PYTHON" - "$1.csv" <<'END'
import csv
import sys

running, most = 0, 0
for row in csv.DictReader(open(sys.argv[1])):
    running += 1 if row["event"] == "start" else -1
    most = max(most, running)
print(most)
END
}
run packed
packed=$(most_at_once packed)
echo "$packed trials at once on the device"
[ "$packed" -ge 2 ] || { echo "no two trials ran at once" >&2; exit 1; }
[ "$DEVICE" != cpu ] || exit 0
run apart --set resources.max_per_gpu=1 --set stages.lm.steps=50
apart=$(most_at_once apart) gpus=$("$RETHINK" query --store apart --format csv "
  select count(distinct json_extract(facts, '$.gpu')) from attempt" | tail -n 1)
printf '\nwith max_per_gpu: 1, %s at once on %s\n' "$apart" "$gpus"
[ "$apart" -le "$gpus" ] || { echo "$apart trials at once on $gpus GPUs, with max_per_gpu: 1" >&2; exit 1; }
