"""Causal self-attention with grouped queries and rotary positions: the one file that a new kind of attention changes.

Shapes: B sequences, H query heads, G key and value heads, T tokens, E features of a head.
"""

import torch
import torch.nn.functional as F
from torch import nn


def dense(query, key, value, options):
    """Every token attends to itself and all tokens before it."""
    return F.scaled_dot_product_attention(query, key, value, is_causal=True)


def window(query, key, value, options):
    """Every token attends to itself and the `window` - 1 tokens before it."""
    position = torch.arange(query.size(2), device=query.device)
    distance = position[:, None] - position[None, :]
    allowed = (distance >= 0) & (distance < options["window"])
    return F.scaled_dot_product_attention(query, key, value, attn_mask=allowed)


# A kind is a function of query, key, value [B,H,T,E] and the options of the model, and returns [B,H,T,E].
# Add one here, and its name to `config.attention` in lm.yaml.
KINDS = {"dense": dense, "window": window}


def rotary_angles(length, head_width, base, device):
    """Angles [T,E/2] by which each pair of features turns at each position (Su et al., 2021)."""
    frequency = base ** (-torch.arange(0, head_width, 2, device=device, dtype=torch.float32) / head_width)
    return torch.arange(length, device=device, dtype=torch.float32)[:, None] * frequency[None, :]


def rotate(x, angles):
    """Turns the feature pairs (i, i + E/2) of x [B,H,T,E]; computed in float32, returned in the type of x."""
    first, second = x.float().chunk(2, dim=-1)
    cosine, sine = angles.cos(), angles.sin()
    return torch.cat([first * cosine - second * sine, first * sine + second * cosine], dim=-1).to(x.dtype)


class Attention(nn.Module):
    def __init__(self, options):
        super().__init__()
        width, self.heads, self.groups = options["width"], options["heads"], options["kv_heads"]
        if options["attention"] not in KINDS:
            raise SystemExit(f"attention: got {options['attention']!r}, expected one of {', '.join(KINDS)}")
        if width % self.heads or width // self.heads % 2:
            raise SystemExit(f"heads: got {self.heads}, expected a number that divides width {width} into even parts")
        if self.heads % self.groups:
            raise SystemExit(f"kv_heads: got {self.groups}, expected a number that divides heads {self.heads}")
        self.options, self.head_width = options, width // self.heads
        self.attend = KINDS[options["attention"]]
        self.query = nn.Linear(width, width, bias=False)
        self.key = nn.Linear(width, self.groups * self.head_width, bias=False)
        self.value = nn.Linear(width, self.groups * self.head_width, bias=False)
        self.output = nn.Linear(width, width, bias=False)

    def forward(self, x):
        batch, length, width = x.shape

        def split(features, heads):
            return features.view(batch, length, heads, self.head_width).transpose(1, 2)

        angles = rotary_angles(length, self.head_width, self.options["rope_base"], x.device)
        query = rotate(split(self.query(x), self.heads), angles)
        key = rotate(split(self.key(x), self.groups), angles)
        value = split(self.value(x), self.groups)
        # Each key and value head serves heads / kv_heads query heads (Ainslie et al., 2023).
        key, value = (part.repeat_interleave(self.heads // self.groups, dim=1) for part in (key, value))
        attended = self.attend(query, key, value, self.options)
        return self.output(attended.transpose(1, 2).reshape(batch, length, width))
