"""A decoder-only language model of today: pre-norm, RMSNorm, SwiGLU, tied embeddings; its attention is in attn.py."""

import torch
import torch.nn.functional as F
from torch import nn

from attn import Attention


class RMSNorm(nn.Module):
    """x / rms(x), times a learned gain (Zhang and Sennrich, 2019); computed in float32."""

    def __init__(self, width, epsilon=1e-6):
        super().__init__()
        self.gain, self.epsilon = nn.Parameter(torch.ones(width)), epsilon

    def forward(self, x):
        wide = x.float()
        scale = torch.rsqrt(wide.square().mean(-1, keepdim=True) + self.epsilon)
        return (wide * scale * self.gain).to(x.dtype)


class SwiGLU(nn.Module):
    """output(silu(gate(x)) * up(x)) (Shazeer, 2020)."""

    def __init__(self, width, hidden):
        super().__init__()
        self.gate = nn.Linear(width, hidden, bias=False)
        self.up = nn.Linear(width, hidden, bias=False)
        self.output = nn.Linear(hidden, width, bias=False)

    def forward(self, x):
        return self.output(F.silu(self.gate(x)) * self.up(x))


class Block(nn.Module):
    def __init__(self, options):
        super().__init__()
        self.attention_norm, self.attention = RMSNorm(options["width"]), Attention(options)
        self.ffn_norm, self.ffn = RMSNorm(options["width"]), SwiGLU(options["width"], options["ffn"])
        self.dropout = nn.Dropout(options["dropout"])

    def forward(self, x):
        x = x + self.dropout(self.attention(self.attention_norm(x)))
        return x + self.dropout(self.ffn(self.ffn_norm(x)))


class LanguageModel(nn.Module):
    def __init__(self, vocabulary, options):
        super().__init__()
        self.embedding = nn.Embedding(vocabulary, options["width"])
        self.blocks = nn.ModuleList(Block(options) for _ in range(options["layers"]))
        self.norm = RMSNorm(options["width"])
        for name, parameter in self.named_parameters():
            if parameter.dim() < 2:
                continue
            # Sums of 2 * layers outputs keep their size (Radford et al., 2019).
            deviation = 0.02 / (2 * options["layers"]) ** 0.5 if name.endswith("output.weight") else 0.02
            nn.init.normal_(parameter, std=deviation)

    def forward(self, inputs, targets):
        """Token ids [B,T] and the ids that follow them [B,T]; returns the mean negative log-likelihood in nats."""
        x = self.embedding(inputs)
        for block in self.blocks:
            x = block(x)
        scores = F.linear(self.norm(x), self.embedding.weight)
        return F.cross_entropy(scores.float().flatten(0, 1), targets.flatten())
