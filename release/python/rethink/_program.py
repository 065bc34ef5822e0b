"""Finds the program, and starts it with the LibTorch of the package torch."""

import importlib.util
import os
import pathlib
import sys


def program():
    return pathlib.Path(__file__).parent / "bundle" / "rethink"


def environment():
    """The environment with RETHINK_LIBTORCH, which the program's wrapper reads; a value that the user has set stays.

    The package torch is found without importing it, which would take seconds.
    """
    variables = dict(os.environ)
    if "RETHINK_LIBTORCH" not in variables:
        found = importlib.util.find_spec("torch")
        if found is not None and found.submodule_search_locations:
            variables["RETHINK_LIBTORCH"] = found.submodule_search_locations[0]
    return variables


def main():
    os.execve(program(), ["rethink", *sys.argv[1:]], environment())
