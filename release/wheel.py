#!/usr/bin/env python3
"""Packs a bundle (cmake/bundle.sh) as a Python wheel: wheel.py BUNDLE VERSION NEW_DIR. Prints the wheel's path.

Equal bundles give equal bytes: names are sorted and times fixed. Links, which wheels cannot hold, are left out: the
program finds its worker beside itself.
"""

import base64
import hashlib
import pathlib
import sys
import zipfile

TORCH = "2.11.0"  # cmake/wheels.txt pins the same
TAG = "py3-none-manylinux_2_34_x86_64"  # bundle.sh refuses a newer C library

METADATA = """\
Metadata-Version: 2.1
Name: rethink
Version: {version}
Summary: Sweeps of attention variants, from YAML to the papers' tables
License: Apache-2.0
Requires-Python: >=3.9
Requires-Dist: torch=={torch}
Provides-Extra: pandas
Requires-Dist: pandas; extra == "pandas"
Description-Content-Type: text/markdown

{readme}
"""

WHEEL = f"Wheel-Version: 1.0\nGenerator: rethink\nRoot-Is-Purelib: false\nTag: {TAG}\n"


def files_below(folder, prefix):
    for path in sorted(folder.rglob("*")):
        if path.is_file() and not path.is_symlink() and "__pycache__" not in path.parts:
            yield f"{prefix}/{path.relative_to(folder).as_posix()}", path.read_bytes(), path.stat().st_mode & 0o111


def main():
    bundle, version, target = pathlib.Path(sys.argv[1]), sys.argv[2], pathlib.Path(sys.argv[3])
    root = pathlib.Path(__file__).resolve().parent
    about = f"rethink-{version}.dist-info"
    texts = {
        f"{about}/METADATA": METADATA.format(
            version=version, torch=TORCH, readme=(root / "README.md").read_text()),
        f"{about}/WHEEL": WHEEL,
        f"{about}/entry_points.txt": "[console_scripts]\nrethink = rethink._program:main\n",
        f"{about}/LICENSE": (root.parent / "LICENSE").read_text(),
        f"{about}/NOTICE": (root.parent / "NOTICE").read_text(),
    }
    entries = [*files_below(root / "python" / "rethink", "rethink"), *files_below(bundle, "rethink/bundle")]
    entries += [(name, text.encode(), 0) for name, text in texts.items()]
    record = ""
    target.mkdir(parents=True, exist_ok=True)
    wheel = target / f"rethink-{version}-{TAG}.whl"
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as packed:
        def add(name, content, executable):
            entry = zipfile.ZipInfo(name, (2020, 1, 1, 0, 0, 0))
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (0o100755 if executable else 0o100644) << 16
            packed.writestr(entry, content)

        for name, content, executable in entries:
            digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
            record += f"{name},sha256={digest},{len(content)}\n"
            add(name, content, executable)
        add(f"{about}/RECORD", f"{record}{about}/RECORD,,\n".encode(), 0)
    print(wheel)


main()
