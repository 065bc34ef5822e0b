# A script imports the module `rethink`, which its Python lacks: `init`, `plan` and the failed trial give advice.
# not under ODD_PLACE, ONE_CORE, BARE: its Python is a script that answers as one would
=== bin/python3
#!/bin/sh
[ "$1" = -E ] && exit 3
echo "ModuleNotFoundError: No module named 'rethink'" >&2
exit 1
===
=== ten.py
import rethink
===
$ chmod +x bin/python3; PATH=$PWD/bin:$PATH rethink init ten.py
ten.yaml
ten.py imports the module rethink, which python3 does not find: copy <any> to rethink.py beside the program and add rethink.py to `code`, or install the wheel of rethink for python3
init found no metric that ten.py reports; tables and figures need one: write its name as `metrics` in ten.yaml
next: <any>

$ PATH=$PWD/bin:$PATH rethink run ten.yaml --quiet 2>&1 | grep -v log:
ten.yaml:7:10: note: ten.py imports the module rethink, which python3 does not find: copy <any>
failed: <id>  train seed 0: python3: exit code 1: ModuleNotFoundError: No module named 'rethink'; copy <any> to rethink.py beside the program and add rethink.py to `code`, or install the wheel of rethink for python3
to repeat failed and cancelled trials: <any>
