# Checks the machine by `rethink doctor`, and that the plug-in loads and finds the GPU.
set -eu
# gnuplot, which draws figures, is not required.
"$RETHINK" doctor --format json >doctor.json || true
"$PYTHON" - <<'END'
import json
import sys

bad = []
for line in json.load(open("doctor.json")):
    print(f"- {line['what']}: {line['text']}")
    if not line["good"] and line["what"] != "gnuplot":
        bad.append(line["what"])
sys.exit("doctor: " + ", ".join(bad) if bad else 0)
END
[ "$DEVICE" != cpu ] || exit 0
"$BUNDLE/kernels_check" --gpu --only device >found || { grep -E '^(failed|no CUDA)' found >&2; exit 1; }
echo "- plug-in: $(tail -n 1 found)"
