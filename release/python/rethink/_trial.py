"""What a program says to `rethink`, which runs it as a trial (docs/how_to/command.md). One file, nothing but the standard library.

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

Without `rethink`, in a shell, the same program runs: config() is empty, numbers are printed, checkpoints are not kept.

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
_process = os.getpid()  # that has imported this module, and not one that it forked
_watching = None  # the process that has the handler
_is_asked = False


def _say(line):
    """One write with O_APPEND: lines of several processes do not mix. Of torchrun's processes the first alone speaks."""
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
    """A float, also of a tensor or an array with one element."""
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
    """Metrics of a step: log(100, **{"dev/acc": 0.91}). Those of a step come before its checkpoint."""
    for name, value in metrics.items():
        _say({"metric": name, "step": int(step), "value": _number(value)})


def tick(step, of=None):
    """How far it is: a line now and then is enough."""
    _say({"tick": int(step), "of": of})


def checkpoint(step, save):
    """Calls save(folder), and hands the folder over: after a kill the program goes on from it. In place of `save`, a
    folder that is there already: it is copied."""
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
    """A file that stays with the trial."""
    _say({"artifact": name, "path": str(pathlib.Path(path).absolute())})


def text(name, step, value):
    """A few lines of text, such as a sample. `rethink` keeps the first 4,000 bytes and warns about the rest."""
    most = 5_000  # characters, so that the line has less than 64 KB and is still too long where it is cut
    _say({"text": name, "step": int(step), "value": str(value)[:most]})


def image(name, step, path):
    """A picture: a file, which is copied at once and may be written over afterwards."""
    if os.environ.get("RANK", "0") != "0":
        return
    file, scratch = pathlib.Path(path).absolute(), os.environ.get("RETHINK_SCRATCH")
    if scratch and file.is_file():
        file = shutil.copy(file, tempfile.mkdtemp(prefix="image-", dir=scratch))
    _say({"image": name, "step": int(step), "path": str(file)})


def done():
    """All is said: what a SIGTERM cuts off after this is no interruption."""
    _say({"done": True})


def read(store="store", sql="SELECT * FROM runs"):
    """The rows that `sql` selects from a store or a snapshot of its database: a pandas frame, or without pandas a list
    with a dictionary for each row.

    By default a row for each trial, with its state, score, settings, labels and final metrics (docs/query.md). It only
    reads, also while `rethink run` writes. Raises FileNotFoundError where there is no database, and sqlite3.Error where
    the statement is wrong.
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
        mode = "immutable=1"  # SQLite could not make its files beside it, and nobody writes
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
    """Whether the program has to stop: keep a checkpoint and exit with 75.

    True once `rethink` has told it so, in every process and thread of the program, whatever handler of SIGTERM it has set.
    With the step that is complete it is also true from the step on at which the sweep stops the trial (`stop_at`).
    """
    global _is_asked
    _is_asked = True
    _watch()
    if not _stop.is_set() and os.path.exists(os.environ.get("RETHINK_STOP_FILE", "")):
        _stop.set()  # a signal handler that replaced ours, another process of the program, or a signal that is ignored
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
        elif _watching != os.getpid() or not _is_asked:  # a child, or a program that never asks: as without us
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
            os.kill(os.getpid(), signal.SIGTERM)

    signal.signal(signal.SIGTERM, wants_to_stop)


def _installed_packages():
    """Names and versions by the folders that pip leaves: reading the metadata of hundreds would take a second."""
    packages = set()
    for folder in sys.path:
        try:
            entries = os.listdir(folder or ".")
        except OSError:
            continue
        packages.update(entry[: -len(".dist-info")].replace("-", " ") for entry in entries if entry.endswith(".dist-info"))
    return ", ".join(sorted(packages))[:50_000]


def _environment():
    """What the numbers may depend on beside the code."""
    facts = {"python": f"{sys.implementation.name} {sys.version.split()[0]}", "executable": sys.executable, "packages": _installed_packages()}
    torch = sys.modules.get("torch")  # importing it here would take seconds
    if torch is not None:
        facts["torch"] = str(getattr(torch, "__version__", ""))
        facts["cuda"] = str(getattr(getattr(torch, "version", None), "cuda", None))
    return facts


def _outside_files():
    """Files of modules that come from the program's checkout, as an editable install's do, and not from the copy that runs."""
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
