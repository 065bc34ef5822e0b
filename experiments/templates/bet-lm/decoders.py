"""The language model and the translation model of `rethink-worker bench`, in plain PyTorch, with our names of weights:
post-LN, sinusoidal positions, ReLU. PyTorch gets its fused attention entry point."""
import math

import torch
import torch.nn as nn
import torch.nn.functional as F


def sinusoids(tokens, width):
    position = torch.arange(tokens, dtype=torch.double).unsqueeze(1)
    frequency = torch.exp(torch.arange(0, width, 2, dtype=torch.double) * (-math.log(10000.0) / width))
    table = torch.zeros(tokens, width, dtype=torch.double)
    table[:, 0::2], table[:, 1::2] = torch.sin(position * frequency), torch.cos(position * frequency)
    return table.float()


class Attention(nn.Module):
    """dense, or bird_eye: BET(SF) with its diagonal mask."""

    def __init__(self, d, heads, dropout, kind="dense"):
        super().__init__()
        self.heads, self.p, self.kind = heads, dropout, kind
        self.query, self.key, self.value, self.output = (nn.Linear(d, d) for _ in range(4))
        if kind == "bird_eye":
            self.rescale = nn.Linear(2 * d // heads, 1, bias=False)

    def split(self, x):
        return x.view(*x.shape[:2], self.heads, -1).transpose(1, 2)

    def attend(self, query, key, value, **mask):
        return F.scaled_dot_product_attention(query, key, value, dropout_p=self.p if self.training else 0.0, **mask)

    def forward(self, x, memory=None, keep=None, causal=False, cache=None):
        query = self.split(self.query(x))
        if cache is not None and memory is not None:  # keys of a source are made once
            if "key" not in cache:
                cache["key"], cache["value"] = self.split(self.key(memory)), self.split(self.value(memory))
            key, value = cache["key"], cache["value"]
        else:
            source = x if memory is None else memory
            key, value = self.split(self.key(source)), self.split(self.value(source))
        if cache is not None and memory is None:
            key, value = grown(cache, "key", key), grown(cache, "value", value)
        mask = {} if keep is None else {"attn_mask": keep[:, None, None, :]}
        if causal and cache is None:
            mask = {"is_causal": True}
        found = self.attend(query, key, value, **mask)
        if self.kind == "bird_eye":
            found = self.second_look(query, key, value, found, cache)
        return self.output(found.transpose(1, 2).flatten(2))

    def second_look(self, query, key, value, hidden, cache):
        own = key[:, :, -hidden.shape[2]:]
        rescaled = own * torch.sigmoid(self.rescale(torch.cat([hidden, own], -1)))
        if cache is None:
            seen = torch.ones(key.shape[2], key.shape[2], dtype=torch.bool, device=key.device).tril(-1)
        else:
            rescaled = grown(cache, "rescaled", rescaled)
            seen = torch.ones(1, key.shape[2], dtype=torch.bool, device=key.device)
            seen[0, -1] = False
        seen[0, 0] = True  # the first token can only attend to itself
        return self.attend(query, rescaled, value, attn_mask=seen)


def grown(cache, name, new):
    cache[name] = torch.cat([cache[name], new], 2) if name in cache else new
    return cache[name]


class Layer(nn.Module):
    def __init__(self, d, heads, ffn, dropout, attention_dropout, kind="dense", cross=False):
        super().__init__()
        self.attention, self.attention_norm = Attention(d, heads, attention_dropout, kind), nn.LayerNorm(d)
        if cross:
            self.cross, self.cross_norm = Attention(d, heads, attention_dropout), nn.LayerNorm(d)
        self.ffn_in, self.ffn_out, self.ffn_norm = nn.Linear(d, ffn), nn.Linear(ffn, d), nn.LayerNorm(d)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, keep=None, causal=False, memory=None, memory_keep=None, cache=None):
        cache = cache if cache is not None else {"self": None, "cross": None}
        x = self.attention_norm(x + self.dropout(self.attention(x, keep=keep, causal=causal, cache=cache["self"])))
        if memory is not None:
            found = self.cross(x, memory=memory, keep=memory_keep, cache=cache["cross"])
            x = self.cross_norm(x + self.dropout(found))
        return self.ffn_norm(x + self.dropout(self.ffn_out(F.relu(self.ffn_in(x)))))


def stack(count, *arguments, **options):
    return nn.ModuleDict({str(n): Layer(*arguments, **options) for n in range(1, count + 1)})


class LanguageModel(nn.Module):
    def __init__(self, a, dropout):
        super().__init__()
        self.embedding = nn.Embedding(a.vocabulary, a.d_model)
        self.register_buffer("positions", sinusoids(a.tokens + 1, a.d_model), persistent=False)
        self.layers = stack(a.layers, a.d_model, a.heads, a.ffn, dropout, dropout, a.attention)
        self.dropout, self.output = nn.Dropout(dropout), nn.Linear(a.d_model, a.vocabulary)

    def scores(self, batch):
        ids = batch["input_ids"]
        x = self.dropout(self.embedding(ids) + self.positions[: ids.shape[1]])
        for layer in self.layers.values():
            x = layer(x, causal=True)
        return self.output(x.flatten(0, 1).index_select(0, batch["rows"]))

    def loss(self, batch):
        return F.cross_entropy(self.scores(batch), batch["targets"])


class TranslationModel(nn.Module):
    """One embedding for source, target and output; no dropout of attention's weights."""

    def __init__(self, a, dropout):
        super().__init__()
        self.embedding, self.scale = nn.Embedding(a.vocabulary, a.d_model), math.sqrt(a.d_model)
        self.register_buffer("positions", sinusoids(a.tokens + 2, a.d_model), persistent=False)
        self.dropout = nn.Dropout(dropout)
        self.encoder, self.decoder = nn.Module(), nn.Module()
        self.encoder.layers = stack(a.encoder_layers, a.d_model, a.heads, a.ffn, dropout, 0.0)
        self.decoder.layers = stack(a.layers, a.d_model, a.heads, a.ffn, dropout, 0.0, a.attention, cross=True)

    def embedded(self, ids, first=0):
        placed = self.embedding(ids) * self.scale + self.positions[first : first + ids.shape[1]]
        return self.dropout(placed)

    def encoded(self, source_ids, keep):
        x = self.embedded(source_ids)
        for layer in self.encoder.layers.values():
            x = layer(x, keep=keep)
        return x

    def decoded(self, target_ids, memory, keep, caches=None, first=0):
        x = self.embedded(target_ids, first)
        for number, layer in self.decoder.layers.items():
            x = layer(x, causal=True, memory=memory, memory_keep=keep, cache=caches and caches[number])
        return x

    def loss(self, batch):
        keep = batch["source_keep"]
        x = self.decoded(batch["target_ids"], self.encoded(batch["source_ids"], keep), keep)
        scores = x.flatten(0, 1).index_select(0, batch["rows"]) @ self.embedding.weight.T
        pieces = scores.shape[1]
        # PyTorch spreads its share over all tokens, fairseq over the wrong ones.
        return F.cross_entropy(scores, batch["targets"], label_smoothing=0.1 * pieces / (pieces - 1))


def with_weights(model, file):
    from safetensors.torch import load_file
    model.load_state_dict(load_file(file))
    return model
