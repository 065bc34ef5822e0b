"""Common code of the comparisons of encoders with transformers."""

import os
import pathlib
import subprocess

import transformers

ROOT = pathlib.Path(__file__).resolve().parents[2]
TOLERANCE = 1e-4  # of hidden states and logits in float32


def real_lines(count):
    """Returns a file of the folder RETHINK_DATA, or else README.md, and lines from all parts of it."""
    data = pathlib.Path(os.environ.get("RETHINK_DATA", "/nowhere"))
    files = [p for folder in ("wikitext-2-raw", "pretrain_text") for p in sorted((data / folder).rglob("*"))]
    file = next((p for p in files if p.is_file()), ROOT / "README.md")
    lines = [" ".join(x.split()) for x in file.read_text(encoding="utf-8", errors="replace").splitlines()]
    lines = [x for x in lines if len(x) > 20]
    return file, [lines[i * len(lines) // count] for i in range(min(count, len(lines)))]


def worst(ours, theirs):
    return (ours.double() - theirs.double()).abs().max().item()


class Check:
    def __init__(self):
        self.failed = 0

    def at_most(self, what, value, limit):
        holds = value <= limit  # false for NaN
        self.failed += not holds
        print(f"{'ok    ' if holds else 'FAILED'} {what}: {value:.3g} (limit {limit:.3g})", flush=True)

    def that(self, what, holds):
        self.failed += not holds
        print(f"{'ok    ' if holds else 'FAILED'} {what}", flush=True)


def run(*words, **more):
    return subprocess.run([str(w) for w in words], check=True, text=True, stdout=subprocess.PIPE, **more).stdout


def tokenized(folder, pairs, longest=512, **more):
    """Returns a batch of texts, or of pairs of them, by the tokenizer that transformers finds in the folder."""
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    rows = [tokenizer(*pair, truncation="longest_first", max_length=longest) for pair in pairs]
    return tokenizer.pad(rows, return_tensors="pt", **more)
