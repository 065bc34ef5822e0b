#!/usr/bin/env python3
"""Parses every Python program of the project, also those that only run beside packages which a machine may lack."""

import ast
import pathlib
import sys

root = pathlib.Path(__file__).resolve().parents[2]
folders = ["app", "cmake", "datasets", "experiments", "release", "tests"]
files = [file for folder in folders for file in sorted((root / folder).rglob("*.py"))]
faults = []
for file in files:
    try:
        ast.parse(file.read_text(encoding="utf-8"), str(file))
    except SyntaxError as error:
        faults.append(f"{file.relative_to(root)}:{error.lineno}: {error.msg}")
print("\n".join(faults) or f"{len(files)} programs")
sys.exit(1 if faults or len(files) < 20 else 0)
