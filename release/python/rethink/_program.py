"""Where the program lies, and how it is started beside the LibTorch that the package torch brings."""

import importlib.util
import os
import pathlib
import sys


def program():
    return pathlib.Path(__file__).parent / "bundle" / "rethink"


def environment():
    """The environment with RETHINK_LIBTORCH, which the program's wrapper reads; what the user has set stays.

    torch is found and not imported, which would take seconds.
    """
    variables = dict(os.environ)
    if "RETHINK_LIBTORCH" not in variables:
        found = importlib.util.find_spec("torch")
        if found is not None and found.submodule_search_locations:
            variables["RETHINK_LIBTORCH"] = found.submodule_search_locations[0]
    return variables


def main():
    os.execve(program(), ["rethink", *sys.argv[1:]], environment())
