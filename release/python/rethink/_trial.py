"""Functions for a program that `rethink` runs as a trial (docs/how_to/command.md). One file, with only the standard library.

    import rethink

    config = rethink.config()                       # the stage's `config:`
    folder = rethink.resume()                       # the newest checkpoint, a folder; None: from the beginning
    for step in range(first, config["steps"] + 1):
        ...
        rethink.log(step, **{"train/loss": loss})
        if rethink.stopping(step) or step % 500 == 0:
            rethink.checkpoint(step, lambda folder: save(folder / "state.pt"))
        if rethink.stopping(step):
            raise SystemExit(75)                    # it goes on later from that checkpoint

The same program runs in a shell without `rethink`: config() is empty, numbers are printed, checkpoints are not kept.

read("store") returns the results of a store, also while `rethink run` writes to it.
"""

import atexit
import json
import os
import pathlib
import shutil
import signal
import sqlite3
import sys
import tempfile
import threading
import urllib.parse

__all__ = ["artifact", "checkpoint", "config", "done", "image", "log", "read", "resume", "seed", "stopping", "text", "tick"]

_stop = threading.Event()
_process = os.getpid()  # the one that imported this module, not a fork of it
_watching = None  # the process that has the handler
_is_asked = False


def _say(line):
    """Writes a line at once with O_APPEND, so that processes do not mix lines. Of torchrun's processes only the first writes."""
    if os.environ.get("RANK", "0") != "0":
        return
    words = json.dumps(line)
    events = os.environ.get("RETHINK_EVENTS")
    if not events:
        print(words, flush=True)
        return
    file = os.open(events, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o666)
    try:
        os.write(file, (words + "\n").encode())
    finally:
        os.close(file)


def _number(value):
    """Converts a number, or a tensor or an array with one element, to a float."""
    return float(value.item() if hasattr(value, "item") else value)


def config():
    """The stage's `config:`, a dictionary."""
    file = os.environ.get("RETHINK_CONFIG")
    return json.loads(pathlib.Path(file).read_text(encoding="utf-8")) if file else {}


def seed(default=0):
    return int(os.environ.get("RETHINK_SEED", default))


def resume():
    """The folder of the newest checkpoint, or None."""
    folder = os.environ.get("RETHINK_CHECKPOINT")
    return pathlib.Path(folder) if folder else None


def log(step, **metrics):
    """Records metrics of a step: log(100, **{"dev/acc": 0.91}). Log a step's metrics before its checkpoint."""
    for name, value in metrics.items():
        _say({"metric": name, "step": int(step), "value": _number(value)})


def tick(step, of=None):
    """Reports the progress of the program; one call now and then is enough."""
    _say({"tick": int(step), "of": of})


def checkpoint(step, save):
    """Calls save(folder), and gives the folder to `rethink`: after a kill the program goes on from it. `save` may also be
    the path of an existing folder, which is then copied."""
    if os.environ.get("RANK", "0") != "0":
        return
    scratch = os.environ.get("RETHINK_SCRATCH")
    if not scratch:
        return
    if not callable(save):
        _say({"checkpoint": int(step), "path": str(pathlib.Path(save).absolute())})
        return
    folder = pathlib.Path(tempfile.mkdtemp(prefix=f"checkpoint-{int(step)}-", dir=scratch))
    save(folder)
    _say({"checkpoint": int(step), "path": str(folder), "give": True})


def artifact(name, path):
    """Keeps a file with the trial."""
    _say({"artifact": name, "path": str(pathlib.Path(path).absolute())})


def text(name, step, value):
    """Records a few lines of text, such as a sample. `rethink` keeps the first 4,000 bytes and warns about the rest."""
    most = 5_000  # characters: the line has less than 64 KB, and a cut text is still longer than 4,000 bytes
    _say({"text": name, "step": int(step), "value": str(value)[:most]})


def image(name, step, path):
    """Records a picture. Its file is copied at once and may be overwritten afterwards."""
    if os.environ.get("RANK", "0") != "0":
        return
    file, scratch = pathlib.Path(path).absolute(), os.environ.get("RETHINK_SCRATCH")
    if scratch and file.is_file():
        file = shutil.copy(file, tempfile.mkdtemp(prefix="image-", dir=scratch))
    _say({"image": name, "step": int(step), "path": str(file)})


def done():
    """Reports that the program is done: a SIGTERM after this call is no interruption."""
    _say({"done": True})


def read(store="store", sql="SELECT * FROM runs"):
    """Returns the rows that `sql` selects from a store or a snapshot of its database: a pandas frame, or without pandas a
    list with a dictionary for each row.

    The default is a row for each trial, with its state, score, settings, labels and final metrics (docs/query.md). The
    store does not change, and `rethink run` may write to it meanwhile. Raises FileNotFoundError if there is no database,
    and sqlite3.Error if the statement is wrong.
    """
    database = pathlib.Path(store).absolute()
    if database.is_dir():
        database = database / "rethink.db"
    if not database.is_file():
        raise FileNotFoundError(
            f"{database} does not exist: expected the folder of a store. The database of a store on a network disk is elsewhere: "
            f"`rethink db snapshot copy.db --store {store}` copies it"
        )
    mode = "mode=ro"
    if not pathlib.Path(f"{database}-wal").exists() and not os.access(database.parent, os.W_OK):
        mode = "immutable=1"  # SQLite could not make its files there, and nobody writes
    connection = sqlite3.connect(f"file:{urllib.parse.quote(str(database))}?{mode}", uri=True, timeout=30)
    try:
        cursor = connection.execute(sql)
        columns, rows = [column[0] for column in cursor.description], cursor.fetchall()
    finally:
        connection.close()
    try:
        import pandas
    except ImportError:
        return [dict(zip(columns, row)) for row in rows]
    return pandas.DataFrame(rows, columns=columns)


def stopping(step=None):
    """Returns whether the program has to stop, that is, to keep a checkpoint and exit with 75.

    It is true after `rethink` has asked the program to stop, in every process and thread, whatever handler of SIGTERM the
    program has. If `step`, the last complete step, is given, it is also true from the step on at which the sweep stops the
    trial (`stop_at`).
    """
    global _is_asked
    _is_asked = True
    _watch()
    if not _stop.is_set() and os.path.exists(os.environ.get("RETHINK_STOP_FILE", "")):
        _stop.set()  # our handler was replaced, or the signal is ignored or went to another process
    stop_at = os.environ.get("RETHINK_STOP_AT")
    return _stop.is_set() or (step is not None and bool(stop_at) and int(step) >= int(stop_at))


def _watch():
    global _watching
    if _watching == os.getpid() or threading.current_thread() is not threading.main_thread():
        return
    _watching = os.getpid()
    before = signal.getsignal(signal.SIGTERM)

    def wants_to_stop(number, frame):
        _stop.set()
        if callable(before):
            before(number, frame)
        elif _watching != os.getpid() or not _is_asked:  # a child, or a program that never asks, ends as usual
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
            os.kill(os.getpid(), signal.SIGTERM)

    signal.signal(signal.SIGTERM, wants_to_stop)


def _installed_packages():
    """Names and versions from the names of pip's folders, since reading the metadata of hundreds would take a second."""
    packages = set()
    for folder in sys.path:
        try:
            entries = os.listdir(folder or ".")
        except OSError:
            continue
        packages.update(entry[: -len(".dist-info")].replace("-", " ") for entry in entries if entry.endswith(".dist-info"))
    return ", ".join(sorted(packages))[:50_000]


def _environment():
    """Facts beside the code on which the numbers may depend."""
    facts = {"python": f"{sys.implementation.name} {sys.version.split()[0]}", "executable": sys.executable, "packages": _installed_packages()}
    torch = sys.modules.get("torch")  # importing it here would take seconds
    if torch is not None:
        facts["torch"] = str(getattr(torch, "__version__", ""))
        facts["cuda"] = str(getattr(getattr(torch, "version", None), "cuda", None))
    return facts


def _outside_files():
    """Files of modules from the program's checkout, such as an editable install's, instead of the copy that runs."""
    checkout, code = os.environ.get("RETHINK_CHECKOUT"), os.environ.get("RETHINK_CODE")
    if not checkout or not code:
        return []
    checkout, code = (os.path.join(os.path.realpath(folder), "") for folder in (checkout, code))
    outside = set()
    for module in list(sys.modules.values()):
        if not getattr(module, "__file__", None):
            continue
        file = os.path.realpath(module.__file__)
        is_installed = "site-packages" in file or "dist-packages" in file
        if file.startswith(checkout) and not file.startswith(code) and not is_installed:
            outside.add(os.path.relpath(file, checkout))
    return sorted(outside)[:100]


def _report():
    if os.getpid() != _process or not os.environ.get("RETHINK_EVENTS"):
        return
    _say({"environment": _environment()})
    outside = _outside_files()
    if outside:
        _say({"outside": outside})


atexit.register(_report)
_watch()
