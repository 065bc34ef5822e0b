"""Attention alone in PyTorch, and `rethink-worker bench attention`, in turns: forward and backward.

Set-up (about 3 GB): python3 -m venv VENV && VENV/bin/pip install torch==2.11.0 numpy safetensors
Run:                 VENV/bin/python tests/bench/peers/attention.py WORKER [--tokens 512 --causal --device cuda ...]

The peers are the formula in plain PyTorch, eager and compiled; scaled_dot_product_attention; and FlexAttention, which has
no dropout. A peer that does not support the options is named and left out. A peer whose result or gradients without
dropout differ from ours is not timed, and the exit code is 1. turns.py describes the turns.
"""
import argparse
import math
import os
import sys
import tempfile

import torch
import torch.nn.functional as F
import turns
from safetensors.torch import load_file
from torch.nn.attention.flex_attention import create_block_mask, flex_attention

SIZES = dict(batch=32, heads=12, tokens=128, width=64)
FLAGS = ["causal", "padding", "bias"]
# Largest allowed difference of an element from ours, relative to the largest element.
ALLOWED = {"float32": 1e-4, "tf32": 5e-3, "bfloat16": 3e-2}


class Inputs:
    """The inputs that the worker wrote, on the device."""

    def __init__(self, folder, a):
        found = load_file(os.path.join(folder, "attention.safetensors"))
        self.expected = {name: found[name].to(a.device) for name in found
                         if name == "result" or name.endswith("_gradient")}
        self.a, self.scale = a, a.width**-0.5
        self.query, self.key, self.value, self.upstream = (
            found[name].to(a.device) for name in ["query", "key", "value", "upstream"])
        self.bias = found["bias"].to(a.device) if a.bias else None
        self.learned = {"query": self.query, "key": self.key, "value": self.value}
        if a.bias:
            self.learned["bias"] = self.bias
        for tensor in self.learned.values():
            tensor.requires_grad_()
        self.visible = self.visible_pairs(found)
        self.keep, self.mask = (found[name].to(a.device).bool() if name in found else None for name in ["keep", "mask"])

    def visible_pairs(self, found):
        """Returns bool [1|B,1|H,Q,K], or None if every token sees all."""
        n, parts = self.a.tokens, []
        if self.a.causal:
            parts.append(torch.ones(n, n, dtype=torch.bool).tril()[None, None])
        if "mask" in found:
            parts.append(found["mask"].bool()[None])
        if "keep" in found:
            parts.append(found["keep"][:, None, None, :])
        if not parts and self.a.diagonal != "hidden":
            return None
        visible = torch.ones(1, 1, n, n, dtype=torch.bool)
        for part in parts:
            visible = visible & part
        if self.a.diagonal == "hidden":
            without = visible & ~torch.eye(n, dtype=torch.bool)
            visible = torch.where(without.any(-1, keepdim=True), without, visible)
        return visible.to(self.a.device)


def plain(inputs, dropout):
    scores = inputs.query @ inputs.key.transpose(-1, -2) * inputs.scale
    if inputs.a.diagonal == "halved":
        own = torch.eye(inputs.a.tokens, dtype=torch.bool, device=scores.device)
        scores = torch.where(own, scores * 0.5, scores)
    if inputs.bias is not None:
        scores = scores + inputs.bias
    if inputs.visible is not None:
        scores = scores.masked_fill(~inputs.visible, -torch.inf)
    weights = torch.softmax(scores, -1).to(inputs.value.dtype)
    return F.dropout(weights, dropout) @ inputs.value


def sdpa(inputs, dropout):
    if inputs.a.diagonal == "halved":
        raise NotImplementedError("it cannot scale a diagonal")
    simple = inputs.a.causal and inputs.bias is None and inputs.mask is None and inputs.keep is None
    if simple and inputs.a.diagonal == "plain":
        mask = {"is_causal": True}
    elif inputs.bias is None:
        mask = {"attn_mask": inputs.visible}
    else:
        bias = inputs.bias[None].to(inputs.query.dtype)
        mask = {"attn_mask": bias if inputs.visible is None else bias.masked_fill(~inputs.visible, -torch.inf)}
    return F.scaled_dot_product_attention(inputs.query, inputs.key, inputs.value, dropout_p=dropout, **mask)


class Flex:
    def __init__(self, inputs):
        a, visible, bias = inputs.a, inputs.visible, inputs.bias
        block_mask = None
        if visible is not None:
            per_sequence, per_head = visible.shape[0] > 1, visible.shape[1] > 1
            block_mask = create_block_mask(
                lambda b, h, q, k: visible[b if per_sequence else 0, h if per_head else 0, q, k],
                a.batch if per_sequence else None, a.heads if per_head else None, a.tokens, a.tokens, device=a.device)

        def score(value, b, h, q, k):
            if a.diagonal == "halved":
                value = torch.where(q == k, value * 0.5, value)
            return value if bias is None else value + bias[h, q, k]

        changes = bias is not None or a.diagonal == "halved"
        self.options = {"score_mod": score if changes else None, "block_mask": block_mask}
        self.attend = torch.compile(flex_attention)

    def __call__(self, inputs, dropout):
        return self.attend(inputs.query, inputs.key, inputs.value, **self.options)


WAYS = {
    "plain PyTorch": lambda inputs: plain,
    "plain PyTorch, compiled": lambda inputs: torch.compile(plain),
    "scaled_dot_product_attention": lambda inputs: sdpa,
    "FlexAttention": Flex,
}


class Side:
    def __init__(self, inputs, setting, way):
        self.inputs, self.setting, self.attend, self.dropout = inputs, setting, way(inputs), inputs.a.dropout

    def step(self, dropout=None):
        for tensor in self.inputs.learned.values():
            tensor.grad = None
        result = self.attend(self.inputs, self.dropout if dropout is None else dropout)
        result.backward(self.inputs.upstream)
        return result

    def steps(self, count):
        times = [self.setting.time_ms(self.step)[1] for _ in range(count)]
        return times, [None] * count

    def difference(self):
        """Returns the largest difference from ours over result and gradients, each relative to its largest element."""
        found = {"result": self.step(dropout=0.0)}
        found.update({name + "_gradient": tensor.grad for name, tensor in self.inputs.learned.items()})
        worst = 0.0
        for name, expected in self.inputs.expected.items():
            apart = (found[name].detach().float() - expected.float()).abs().max() / expected.float().abs().max()
            worst = max(worst, apart.item()) if apart == apart else math.inf
        return worst


def agreeing(inputs, setting):
    """Returns the sides with our result, by name, and the names of those with another one. Prints why others are left out."""
    a, sides, apart = inputs.a, {}, []
    print("without dropout, theirs and ours are apart by (of the largest element)")
    for name in turns.chosen(WAYS, a):
        way = WAYS[name]
        try:
            if a.dropout > 0 and way is Flex:  # checked before a useless compilation
                raise NotImplementedError("it has no dropout")
            side = Side(inputs, setting, way)
            worst = side.difference()
        except Exception as error:  # torch.compile or a backend does not support it here
            print(f"{name:<46} left out: {turns.first_line(error)}")
            continue
        print(f"{name:<46} {worst:9.1e}    (at most {ALLOWED[a.precision]:g})", flush=True)
        if worst <= ALLOWED[a.precision]:
            sides[name] = side
        else:
            apart.append(name)
    return sides, apart


def ours(a, setting, folder):
    options = {name: getattr(a, name) for name in [*SIZES, "hidden", "diagonal"]}
    flags = {name: str(getattr(a, name)).lower() for name in FLAGS}
    return turns.Ours(a.worker, "attention", folder, {**setting.options(), **options, **flags, "dropout": a.dropout})


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("worker")
    turns.Setting.add_arguments(parser, rounds=5, steps=5)
    for name, value in SIZES.items():
        parser.add_argument("--" + name, type=int, default=value)
    for name in FLAGS:
        parser.add_argument("--" + name, action="store_true")
    parser.add_argument("--hidden", type=float, default=0.0, help="share of the pairs that a fixed mask hides")
    parser.add_argument("--diagonal", choices=["plain", "halved", "hidden"], default="plain")
    parser.add_argument("--dropout", type=float, default=0.0)
    turns.add_choice(parser)
    a = parser.parse_args()
    setting = turns.Setting(a)
    with tempfile.TemporaryDirectory() as folder:
        side = ours(a, setting, folder)
        sides, apart = agreeing(Inputs(folder, a), setting)
        what = [f"attention, {a.batch} x {a.heads} x {a.tokens} x {a.width}"]
        what += [name for name in FLAGS if getattr(a, name)]
        what += [f"{a.hidden:g} hidden"] if a.hidden else []
        what += [f"diagonal {a.diagonal}"] if a.diagonal != "plain" else []
        what += [f"dropout {a.dropout:g}"] if a.dropout else []
        turns.compare(side, {name: lambda side=one: side for name, one in sides.items()}, a, ", ".join(what))
    if apart:
        sys.exit(f"not ours is what these find: {'; '.join(apart)}")


if __name__ == "__main__":
    main()
