"""`rethink` in Python: read(store) gives a store's runs as a pandas frame; the rest is for programs that are trials (rethink._trial)."""

import io
import subprocess

from rethink._program import environment, program
from rethink import _trial
from rethink._trial import (artifact, checkpoint, config, done, image, log, resume, seed, stopping, text, tick)

__all__ = ["artifact", "checkpoint", "config", "done", "image", "log", "read", "resume", "seed", "stopping", "text", "tick"]


def read(store="store", sql="SELECT * FROM runs"):
    """A pandas frame of the rows that `sql` selects: by default a row for each trial, with its state, score, settings,
    labels and final metrics.

    It does not change the store, and works while `rethink run` writes to it. Raises RuntimeError with the program's own
    words if there is no store, or if the statement is wrong. Columns are in docs/query.md. Without the programs, if pip has
    installed only the module, it reads like rethink._trial.read.
    """
    if not program().exists():
        return _trial.read(store, sql)
    import pandas

    words = [str(program()), "query", sql, "--store", str(store), "--format", "csv"]
    answer = subprocess.run(words, capture_output=True, text=True, env=environment())
    if answer.returncode != 0:
        raise RuntimeError(answer.stderr.strip() or f"rethink query ended with {answer.returncode}")
    return pandas.read_csv(io.StringIO(answer.stdout))
