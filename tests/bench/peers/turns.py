"""Common code of the peers of `rethink-worker bench`: all sides take their steps in turns, on one machine.

The worker writes the model and its batches; all sides begin with these. First each takes 20 steps without dropout; a
side with other losses is not timed, and the exit code is 1. Then each takes a few steps while the others wait, round after
round. The first step of a turn does not count, since the caches hold the others' data. A step's time ends when its device
is done.
"""
import json
import math
import os
import statistics
import subprocess
import sys
import time

import torch
from safetensors.torch import load_file

STEPS_THAT_AGREE = 20
PRECISIONS = {"float32": 1e-5, "tf32": 1e-3, "bfloat16": 1e-3}  # with the allowed relative difference of losses


class Setting:
    """The device and the precision of all sides."""

    def __init__(self, arguments):
        self.threads, self.device, self.precision = arguments.threads, arguments.device, arguments.precision
        torch.set_num_threads(self.threads)
        torch.set_flush_denormal(True)
        torch.manual_seed(0)
        torch.set_float32_matmul_precision("high" if self.precision == "tf32" and self.device == "cuda" else "highest")

    @staticmethod
    def add_arguments(parser, rounds, steps):
        for name, value in dict(rounds=rounds, steps=steps, threads=1).items():
            parser.add_argument("--" + name, type=int, default=value)
        parser.add_argument("--device", choices=["cpu", "cuda"], default="cpu")
        parser.add_argument("--precision", choices=PRECISIONS, default="float32")

    def options(self):
        """Returns the options of `rethink-worker bench`."""
        return {"threads": self.threads, "device": self.device, "precision": self.precision}

    def autocast(self, bfloat16=None):
        wanted = self.precision == "bfloat16" if bfloat16 is None else bfloat16
        return torch.autocast(self.device, torch.bfloat16, enabled=wanted)

    def time_ms(self, step):
        """Returns the result of a step, and its time until its device is done [ms]."""
        self.wait()
        start = time.perf_counter()
        found = step()
        self.wait()
        return found, 1000 * (time.perf_counter() - start)

    def wait(self):
        if self.device == "cuda":
            torch.cuda.synchronize()


class Ours:
    """Our side, `rethink-worker bench WHAT --in_turns true`: reads numbers of steps, prints their times and results."""

    def __init__(self, worker, what, folder, options):
        words = [worker, "bench", what, "--in_turns", "true", "--folder", folder]
        for name, value in options.items():
            words += ["--" + name, str(value)]
        self.process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.facts = self.answer()

    def answer(self):
        line = self.process.stdout.readline()
        if not line:
            sys.exit("the worker ended")
        return json.loads(line)

    def steps(self, count):
        self.process.stdin.write(f"{count}\n")
        self.process.stdin.flush()
        answer = self.answer()
        return answer["ms"], answer["results"]

    def close(self):
        self.process.stdin.close()
        self.process.wait()


class Training:
    """A peer's training steps on the batches in `folder`, one after the other, repeatedly."""

    def __init__(self, folder, loss, optimizer, setting, bfloat16=None):
        self.loss, self.optimizer, self.setting, self.bfloat16 = loss, optimizer, setting, bfloat16
        self.batches, self.next = batches_in(folder, setting.device), 0

    def step(self):
        batch = self.batches[self.next % len(self.batches)]
        self.next += 1
        self.optimizer.zero_grad(set_to_none=True)
        with self.setting.autocast(self.bfloat16):
            loss = self.loss(batch)
        loss.backward()
        self.optimizer.step()
        return loss

    def steps(self, count):
        times, losses = [], []
        for _ in range(count):
            loss, taken = self.setting.time_ms(self.step)
            times.append(taken)
            losses.append(loss.item())
        return times, losses


def batches_in(folder, device="cpu"):
    columns, batches = load_file(os.path.join(folder, "batches.safetensors")), {}
    for name, column in columns.items():
        index, column_name = name.split("/")
        batches.setdefault(int(index), {})[column_name] = column.to(device)
    return [batches[index] for index in sorted(batches)]


def add_choice(parser):
    parser.add_argument("--only", help="only peers whose name has these words")
    parser.add_argument("--without", help="no peer whose name has these words")


def chosen(names, arguments):
    """Returns the names that --only and --without allow."""
    return [name for name in names if (not arguments.only or arguments.only in name)
            and (not arguments.without or arguments.without not in name)]


def first_line(error):
    return (str(error).strip() or repr(error)).splitlines()[0][:150]


def check_losses(ours, theirs, allowed):
    """Returns the names of the sides with our losses of 20 steps without dropout, and of those with other losses. Prints
    why a side is impossible here. `theirs`: makes a side, by name; `allowed`: relative difference, by name."""
    mine = ours.steps(STEPS_THAT_AGREE)[1]
    ours.close()
    print(f"losses of {STEPS_THAT_AGREE} steps without dropout, {mine[0]:.6f} to {mine[-1]:.6f}; theirs are apart by")
    agreeing, apart = [], []
    for name, make in theirs.items():
        try:
            losses = make().steps(STEPS_THAT_AGREE)[1]
        except Exception as error:  # torch.compile needs a compiler, which not every machine has
            print(f"{name:<46} left out: {first_line(error)}", flush=True)
            continue
        gaps = [abs(a - b) / abs(b) for a, b in zip(mine, losses)]
        worst = max(math.inf if math.isnan(gap) else gap for gap in gaps)
        print(f"{name:<46} {worst:9.1e}    (at most {allowed[name]:g})", flush=True)
        (agreeing if worst <= allowed[name] else apart).append(name)
    return agreeing, apart


def exit_if_apart(apart):
    if apart:
        sys.exit(f"not ours are the losses of: {'; '.join(apart)}; they were not timed")


def spread(times):
    times = sorted(times)
    return statistics.median(times), times[len(times) // 10], times[len(times) * 9 // 10]


def compare(ours, theirs, arguments, what, rate=None):
    """Prints the times of all sides. `theirs`: makes a side, by name; `rate`: (amount of a step, its unit)."""
    sides = {"ours": ours, **{name: make() for name, make in theirs.items()}}
    times = {name: [] for name in sides}
    for side in sides.values():
        side.steps(3)  # includes one-time compilation, caches and allocations
    for _ in range(arguments.rounds):
        for name, side in sides.items():
            times[name] += side.steps(1 + arguments.steps)[0][1:]
    ours.close()
    facts = ours.facts
    print(f"{facts['processor']}, {facts['backend']}, {facts['threads']} thread(s); {facts['program']} "
          f"{facts['build']}, {what}, {arguments.precision}; PyTorch {torch.__version__}; "
          f"{len(times['ours'])} steps each, in turns", flush=True)
    base = spread(times["ours"])[0]
    for name, taken in times.items():
        median, low, high = spread(taken)
        speed = f"  {1000 * rate[0] / median:9.0f} {rate[1]}" if rate else ""
        print(f"{name:<46} {median:9.2f} ms ({low:.2f} to {high:.2f})  {median / base:5.2f}{speed}")
