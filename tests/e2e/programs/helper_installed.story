# pip installs only the module `rethink` from a checkout: programs report by it, and read() reads a store without our programs.
# not under ODD_PLACE, ONE_CORE, BARE: it is about Python
=== train.py
import rethink

rethink.log(1, **{"dev/acc": rethink.config()["acc"]})
=== own.yaml
sweep: own
seeds: [0]
stages:
  train:
    job: command
    run: [python3, train.py]
    code: [train.py]
    pass: [PYTHONPATH]
    config: {acc: 0.5}
    metrics: {dev/acc: max}
=== install.sh
# Where pip, setuptools or wheel are missing, the package's folder takes the place of what pip would install.
cp -r "$FIXTURES/../../release/python" python
if python3 -c 'import setuptools, wheel, pip; assert int(setuptools.__version__.split(".")[0]) >= 64' 2>/dev/null; then
  python3 -m pip install --quiet --disable-pip-version-check --no-index --no-build-isolation --no-deps --target site ./python && rm -r python
else
  mkdir site && mv python/rethink site
fi
=== read.py
import sys
import rethink

found = rethink.read(*sys.argv[1:])
print(len(found), list(found["score"]) if hasattr(found, "columns") else [row["score"] for row in found])
===
$ sh install.sh; export PYTHONPATH=$PWD/site; rethink run own.yaml --quiet; python3 read.py
1 [0.5]

$ PYTHONPATH=$PWD/site python3 read.py nowhere 2>&1 | grep -o 'nowhere does not exist\|nowhere/rethink.db does not exist'
nowhere does not exist
