"""One training step of the small language model in plain PyTorch eager, for comparison with ours.

Set-up (about 3 GB): python3 -m venv VENV && VENV/bin/pip install torch==2.11.0 numpy
Run:                 VENV/bin/python tests/bench/peers/lm_step.py --steps 40

The same model, sizes, data and optimizer as `rethink-worker bench lm_step`: post-LN decoder with sinusoidal
positions, dropout 0.1, untied output, Adam. PyTorch gets its best eager settings: fused attention entry point, fused
Adam, gradients set to None, flushed denormals. Prints one line of JSON.
"""
import argparse
import json
import math
import statistics
import time

import torch
import torch.nn as nn
import torch.nn.functional as F


class Layer(nn.Module):
    def __init__(self, d, heads, ffn, dropout):
        super().__init__()
        self.heads, self.p = heads, dropout
        self.query, self.key, self.value, self.output = (nn.Linear(d, d) for _ in range(4))
        self.attention_norm, self.ffn_norm = nn.LayerNorm(d), nn.LayerNorm(d)
        self.ffn_in, self.ffn_out = nn.Linear(d, ffn), nn.Linear(ffn, d)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        b, t, d = x.shape
        split = lambda y: y.view(b, t, self.heads, d // self.heads).transpose(1, 2)
        attended = F.scaled_dot_product_attention(
            split(self.query(x)), split(self.key(x)), split(self.value(x)), dropout_p=self.p, is_causal=True)
        x = self.attention_norm(x + self.dropout(self.output(attended.transpose(1, 2).reshape(b, t, d))))
        return self.ffn_norm(x + self.dropout(self.ffn_out(F.relu(self.ffn_in(x)))))


class Model(nn.Module):
    def __init__(self, a):
        super().__init__()
        self.embedding = nn.Embedding(a.vocabulary, a.d_model)
        position = torch.arange(a.tokens).unsqueeze(1)
        frequency = torch.exp(torch.arange(0, a.d_model, 2) * (-math.log(10000.0) / a.d_model))
        table = torch.zeros(a.tokens, a.d_model)
        table[:, 0::2], table[:, 1::2] = torch.sin(position * frequency), torch.cos(position * frequency)
        self.register_buffer("positions", table)
        self.dropout = nn.Dropout(0.1)
        self.layers = nn.ModuleList(Layer(a.d_model, a.heads, a.ffn, 0.1) for _ in range(a.layers))
        self.output = nn.Linear(a.d_model, a.vocabulary)

    def forward(self, ids):
        x = self.dropout(self.embedding(ids) + self.positions[: ids.shape[1]])
        for layer in self.layers:
            x = layer(x)
        return self.output(x)


def batch_of(a):
    """Lines of a length bucket: row r has tokens - r % (tokens // 10) tokens, then padding (target -100)."""
    ids, targets = torch.zeros(a.batch, a.tokens, dtype=torch.long), torch.full((a.batch, a.tokens), -100)
    for r in range(a.batch):
        length = a.tokens - r % max(1, a.tokens // 10)
        line = [4 + (r * 7919 + j * 104729 + j * j) % (a.vocabulary - 4) for j in range(length + 1)]
        ids[r, :length] = torch.tensor(line[:-1])
        targets[r, :length] = torch.tensor(line[1:])
    return ids, targets


def main():
    parser = argparse.ArgumentParser()
    for name, value in dict(steps=30, warmup=5, threads=1, layers=4, d_model=128, heads=1, ffn=512, vocabulary=10000,
                            batch=32, tokens=100).items():
        parser.add_argument("--" + name, type=int, default=value)
    a = parser.parse_args()
    torch.set_num_threads(a.threads)
    torch.set_flush_denormal(True)
    torch.manual_seed(0)
    model = Model(a)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3, fused=True)
    ids, targets = batch_of(a)
    times = []
    for step in range(a.warmup + a.steps):
        start = time.perf_counter()
        loss = F.cross_entropy(model(ids).flatten(0, 1), targets.flatten(), ignore_index=-100)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        optimizer.step()
        if step >= a.warmup:
            times.append(1000 * (time.perf_counter() - start))
    times.sort()
    print(json.dumps({"program": "pytorch " + torch.__version__, "threads": a.threads, "steps": a.steps,
                      "median_ms": statistics.median(times), "p10_ms": times[len(times) // 10],
                      "p90_ms": times[len(times) * 9 // 10], "loss": loss.item()}))


if __name__ == "__main__":
    main()
