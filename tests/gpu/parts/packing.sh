# Trials that share the device: the first of a shape is alone on it, those that follow are packed by what it used.
set -eu
"$RETHINK" run "$BUNDLE/proof/sweeps/packing.yaml" --store store --device "$DEVICE" --slots 2 -q
"$RETHINK" query --store store --format csv "
  select event, json_extract(body, '$.at') as at from event where event in ('start', 'end') order by at" >times.csv
"$PYTHON" - <<'END'
import csv
import sys

running, most = 0, 0
for row in csv.DictReader(open("times.csv")):
    running += 1 if row["event"] == "start" else -1
    most = max(most, running)
print(f"{most} trials at once on the device")
sys.exit(0 if most >= 2 else "no two trials ran at once")
END
