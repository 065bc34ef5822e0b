"""Compares losses and scores of the same trials in three stores: compare_trials.py CPU FLOAT32 BFLOAT16 DEVICE.

Prints the largest relative difference of each trial from its twin on the CPU, losses and scores separately. Fails if a
trial is not done, or if a training loss differs by more than ALLOWED.
"""
import contextlib
import json
import math
import os
import sqlite3
import sys

# Sums in another order diverge after some steps. The difference is printed; more than this is a fault.
ALLOWED = {"float32": 0.02, "bfloat16": 0.1}


def trials(store, device):
    """{(stage, labels): (state, message, {(split, name, step): value})}"""
    found = {}
    with contextlib.closing(sqlite3.connect(os.path.join(store, "rethink.db"))) as index:
        rows = index.execute(
            "SELECT s.stage, s.labels, t.id, t.state, t.message FROM sweep_trial s JOIN trial t ON t.id = s.trial"
            " ORDER BY s.position").fetchall()
        for stage, labels, trial, state, message in rows:
            devices = index.execute(
                "SELECT DISTINCT json_extract(facts, '$.device') AS device FROM attempt"
                " WHERE trial = ? AND device IS NOT NULL", (trial,)).fetchall()
            if devices and devices != [(device,)]:
                state, message = "misplaced", f"on {devices}, not on {device}"
            rows_of_metrics = index.execute("SELECT split, name, step, value FROM metric WHERE trial = ?", (trial,))
            metrics = {(split, name, step): value for split, name, step, value in rows_of_metrics}
            found[stage, labels] = (state, message, metrics)
    return found


def apart(ours, cpu, is_wanted):
    """Returns the largest relative difference over the CPU's metrics; None without metrics, infinite if ours lacks one or has
    no number (NULL in a store)."""
    worst = None
    for key, expected in cpu.items():
        if not is_wanted(key) or expected is None:
            continue
        found = ours.get(key)
        difference = math.inf if found is None else abs(found - expected) / max(abs(expected), 1e-6)
        worst = difference if worst is None else max(worst, difference)
    return worst


def is_training_loss(key):
    return key[0] == "train" and key[1] == "loss"


def is_score(key):
    return key[1] == "score"


def text_of(number):
    return "" if number is None else f"{number:.1e}"


def main():
    device = sys.argv[4]
    cpu, float32, bfloat16 = trials(sys.argv[1], "cpu"), trials(sys.argv[2], device), trials(sys.argv[3], device)
    wrong = []
    print("Largest relative difference from the same trial in float32 on the CPU.\n")
    print("| trial | loss, float32 | score, float32 | loss, bfloat16 | score, bfloat16 |")
    print("|:--|--:|--:|--:|--:|")
    for key, (state, message, expected) in cpu.items():
        name = " ".join([key[0], *dict.fromkeys(map(str, json.loads(key[1]).values()))])
        cells = []
        for precision, store in (("float32", float32), ("bfloat16", bfloat16)):
            own_state, own_message, found = store.get(key, ("missing", "", {}))
            if own_state != "done" or state != "done":
                wrong.append(f"{name} in {precision}: {own_state} {own_message} (on the CPU: {state} {message})")
                cells += ["", ""]
                continue
            loss = apart(found, expected, is_training_loss)
            if loss is not None and not loss <= ALLOWED[precision]:
                wrong.append(f"{name} in {precision}: its loss is {loss:.1e} away")
            score = apart(found, expected, is_score)
            if score == math.inf:
                wrong.append(f"{name} in {precision}: it lacks a score")
            cells += [text_of(loss), text_of(score)]
        if any(cells) or state != "done":  # a mask is made without measuring anything
            print(f"| {name} | {' | '.join(cells)} |")
    if wrong:
        sys.exit("\n".join(wrong))


if __name__ == "__main__":
    main()
