"""Beam search with a translation model in PyTorch, and `rethink-worker bench beam_search`, in turns.

Set-up: see decoder_step.py.
Run:    VENV/bin/python tests/bench/peers/beam_search.py WORKER [--attention bird_eye --beams 5 ...]

Both run fairseq's search: a batch of sentences at once, keys of earlier tokens kept and reordered, finished sentences
removed. Nothing is timed unless both find the same sentences, except one in a hundred in which rounding decides.
"""
import argparse
import os
import tempfile

import decoders
import torch
import turns
from decoder_step import MT

START, END, NEVER = 1, 2, [0, 1]


class Beams:
    """The unfinished beams of one source: rows of the model's last call, scores, tokens."""

    def __init__(self, row):
        self.alive, self.finished, self.best = [(row, 0.0, [])], 0, None

    def finish(self, score, tokens):
        mean = score / (len(tokens) + 1)
        if self.best is None or mean > self.best[0]:
            self.best = (mean, tokens)
        self.finished += 1

    def step(self, first, values, tokens, beams):
        candidates = [(score + value, first + number, before, token)
                      for number, (_, score, before) in enumerate(self.alive)
                      for value, token in zip(values[first + number], tokens[first + number]) if value != -torch.inf]
        candidates.sort(key=lambda candidate: -candidate[0])
        following = []
        for rank, (score, row, before, token) in enumerate(candidates):
            if len(following) == beams:
                break
            if token == END:
                if rank < beams:
                    self.finish(score, before)
            else:
                following.append((row, score, before + [token]))
        self.alive = following if self.finished < beams else []

    def end(self, first, ends):
        for number, (_, score, tokens) in enumerate(self.alive):
            self.finish(score + ends[first + number], tokens)
        self.alive = []


def reordered(caches, rows):
    for cache in caches.values():
        for kept in cache.values():
            for name in kept:
                kept[name] = kept[name].index_select(0, rows)


@torch.inference_mode()
def search(model, batch, longest, beams):
    keep = batch["source_keep"]
    memory = model.encoded(batch["source_ids"], keep)
    caches = {number: {"self": {}, "cross": {}} for number in model.decoder.layers}
    searches = [Beams(row) for row in range(keep.shape[0])]
    length = 0
    while True:
        alive = [beam for one in searches for beam in one.alive]
        if not alive:
            return [one.best[1] for one in searches]
        rows = torch.tensor([row for row, _, _ in alive], device=keep.device)
        last = torch.tensor([[tokens[-1] if tokens else START] for _, _, tokens in alive], device=keep.device)
        memory, keep = memory.index_select(0, rows), keep.index_select(0, rows)
        reordered(caches, rows)
        hidden = model.decoded(last, memory, keep, caches, first=length)[:, -1]
        scores = torch.log_softmax(hidden @ model.embedding.weight.T, -1)
        ends = scores[:, END].tolist()
        scores[:, NEVER if length else [*NEVER, END]] = -torch.inf
        values, tokens = (found.tolist() for found in scores.topk(2 * beams, dim=1))
        first = 0
        for one in searches:
            count = len(one.alive)
            if count and length == longest:
                one.end(first, ends)
            elif count:
                one.step(first, values, tokens, beams)
            first += count
        length += 1


class Searching:
    def __init__(self, folder, a, setting):
        model = decoders.with_weights(decoders.TranslationModel(a, 0.0), os.path.join(folder, "model.safetensors"))
        self.model, self.batch = model.to(a.device).eval(), turns.batches_in(folder, a.device)[0]
        self.a, self.setting = a, setting

    def search(self):
        with self.setting.autocast():
            return search(self.model, self.batch, self.a.tokens, self.a.beams)

    def steps(self, count):
        found, times = zip(*(self.setting.time_ms(self.search) for _ in range(count)))
        return list(times), list(found)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("worker")
    sizes = {**MT, "batch": 32, "beams": 5}
    turns.Setting.add_arguments(parser, rounds=5, steps=1)
    for name, value in sizes.items():
        parser.add_argument("--" + name, type=int, default=value)
    parser.add_argument("--attention", choices=["dense", "bird_eye"], default="dense")
    a = parser.parse_args()
    setting = turns.Setting(a)
    with tempfile.TemporaryDirectory() as folder:
        ours = turns.Ours(a.worker, "beam_search", folder,
                          {**setting.options(), **{name: getattr(a, name) for name in ["attention", *sizes]}})
        mine, other = ours.steps(1)[1][0], Searching(folder, a, setting).steps(1)[1][0]
        same = sum(x == y for x, y in zip(mine, other))
        print(f"{same} of {len(mine)} sentences are the same, of {sum(map(len, mine)) / len(mine):.1f} tokens each")
        if same < 0.99 * len(mine):
            raise SystemExit("there is nothing to compare")
        turns.compare(ours, {"PyTorch eager": lambda: Searching(folder, a, setting)}, a,
                      f"beam_search, {a.attention}, {a.beams} beams", rate=(a.batch, "sentences/s"))


if __name__ == "__main__":
    main()
