"""Trains the language model of model.py on a text file, as a trial of `rethink run lm.yaml`.

By hand: `python3 train.py` trains on text.txt with the settings below, and keeps no checkpoints.
"""

import contextlib
import math
import os
import pathlib

os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")  # deterministic cuBLAS; read when CUDA starts

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel

import rethink
from model import LanguageModel

DEFAULTS = {
    "attention": "dense", "window": 128, "width": 256, "layers": 6, "heads": 8, "kv_heads": 2, "ffn": 688, "rope_base": 10000.0,
    "dropout": 0.0, "length": 256, "batch": 32, "steps": 2000, "lr": 1e-3, "least_lr": 1e-4, "warmup": 100, "weight_decay": 0.1,
    "clip": 1.0, "dev_part": 0.1, "dev_batches": 20, "log_every": 20, "dev_every": 200, "checkpoint_every": 200, "compile": False,
}


def read_options():
    given = rethink.config()
    unknown = sorted(set(given) - set(DEFAULTS))
    if unknown:
        raise SystemExit(f"config: unknown {', '.join(unknown)}; expected some of {', '.join(DEFAULTS)}")
    return {**DEFAULTS, **given}


class Group:
    """The processes that train together: those of torchrun, or this one alone."""

    def __init__(self):
        self.rank, self.size = int(os.environ.get("RANK", 0)), int(os.environ.get("WORLD_SIZE", 1))
        local = int(os.environ.get("LOCAL_RANK", 0))
        self.device = torch.device("cuda", local) if torch.cuda.is_available() else torch.device("cpu")
        if self.device.type == "cuda":
            torch.cuda.set_device(self.device)
        if self.size > 1:
            dist.init_process_group("nccl" if self.device.type == "cuda" else "gloo")

    def sum(self, value):
        """The sum of a number over all processes."""
        if self.size == 1:
            return value  # no copy to the GPU and back
        total = torch.tensor(value, dtype=torch.float64, device=self.device)
        dist.all_reduce(total)
        return total.item()

    def wait(self):
        if self.size > 1:
            dist.barrier()


# Tokens.


def tokenizer_of(file):
    """(encode, size of the vocabulary): bytes, or a byte-level BPE of the package `tokenizers`."""
    if not file:
        return lambda raw: torch.frombuffer(bytearray(raw), dtype=torch.uint8).long() if raw else torch.empty(0), 256
    try:
        import tokenizers
    except ImportError:
        raise SystemExit(f"{file} needs the package tokenizers: pip install tokenizers, or train on bytes without it") from None
    bpe = tokenizers.Tokenizer.from_file(file)

    def encode(raw):
        lines = raw.decode("utf-8").splitlines(keepends=True)
        encoded = bpe.encode_batch(lines, add_special_tokens=False)
        return torch.tensor([token for line in encoded for token in line.ids])

    return encode, bpe.get_vocab_size()


def split_text(raw, dev_part):
    """The text's beginning for training and its end for evaluation, cut at the end of a line where there is one."""
    cut = int(len(raw) * (1 - dev_part))
    cut = raw.rfind(b"\n", 0, cut) + 1 or cut
    while cut < len(raw) and raw[cut] & 0xC0 == 0x80:  # inside a character of UTF-8
        cut += 1
    return raw[:cut], raw[cut:]


def sequences(tokens, starts, length, device):
    """Inputs and targets [B,T] that begin at `starts`."""
    rows = torch.stack([tokens[start : start + length + 1] for start in starts.tolist()]).to(device)
    return rows[:, :-1], rows[:, 1:]


def training_batch(tokens, step, options, group):
    """This process's part of the batch of a step. It depends on the seed and the step alone, so that a resumed trial reads on."""
    generator = torch.Generator().manual_seed(rethink.seed() * 1_000_003 + step)
    starts = torch.randint(len(tokens) - options["length"], (options["batch"],), generator=generator)
    return sequences(tokens, starts[group.rank :: group.size], options["length"], group.device)


# Training.


def learning_rate(step, options):
    """Linear warmup, then a cosine from `lr` down to `least_lr` at the last step."""
    if step <= options["warmup"]:
        return options["lr"] * step / options["warmup"]
    done = (step - options["warmup"]) / max(1, options["steps"] - options["warmup"])
    return options["least_lr"] + (options["lr"] - options["least_lr"]) * 0.5 * (1 + math.cos(math.pi * done))


def optimizer_of(model, options, device):
    """AdamW; gains of norms do not decay."""
    matrices = [parameter for parameter in model.parameters() if parameter.dim() >= 2]
    vectors = [parameter for parameter in model.parameters() if parameter.dim() < 2]
    groups = [{"params": matrices, "weight_decay": options["weight_decay"]}, {"params": vectors, "weight_decay": 0.0}]
    return torch.optim.AdamW(groups, lr=options["lr"], betas=(0.9, 0.95), fused=device.type == "cuda")


@torch.no_grad()
def dev_loss(model, tokens, options, group, precision):
    """Mean negative log-likelihood in nats of the first `dev_batches` batches of sequences that do not overlap."""
    starts = torch.arange(0, len(tokens) - options["length"], options["length"])[: options["dev_batches"] * options["batch"]]
    model.eval()
    total = 0.0
    mine = starts[group.rank :: group.size]
    for part in mine.split(options["batch"]) if len(mine) else []:
        with precision():
            total += model(*sequences(tokens, part, options["length"], group.device)).item() * len(part)
    model.train()
    return group.sum(total) / len(starts)


def main():
    options, group = read_options(), Group()
    if options["batch"] % group.size:
        raise SystemExit(f"batch: got {options['batch']}, expected a multiple of the {group.size} processes")
    torch.use_deterministic_algorithms(True)
    bfloat16 = group.device.type == "cuda" and torch.cuda.is_bf16_supported()

    def precision():
        return torch.autocast("cuda", torch.bfloat16) if bfloat16 else contextlib.nullcontext()

    text = pathlib.Path(os.environ.get("RETHINK_DATA_TEXT", "text.txt"))
    encode, vocabulary = tokenizer_of(os.environ.get("RETHINK_DATA_TOKENIZER"))
    train_text, dev_text = split_text(text.read_bytes(), options["dev_part"])
    train_tokens, dev_tokens = encode(train_text), encode(dev_text)
    for name, tokens in ("training", train_tokens), ("evaluation", dev_tokens):
        if len(tokens) <= options["length"]:
            raise SystemExit(f"{text}: {len(tokens)} tokens for {name}, expected more than length {options['length']}")
    bits = len(dev_tokens) / len(dev_text) / math.log(2)  # from nats a token to bits a byte

    torch.manual_seed(rethink.seed())  # equal weights in all processes
    model = LanguageModel(vocabulary, options).to(group.device)
    optimizer = optimizer_of(model, options, group.device)
    step = 0
    folder = rethink.resume()
    if folder:
        state = torch.load(folder / "state.pt", map_location=group.device, weights_only=True)
        model.load_state_dict(state["model"])
        optimizer.load_state_dict(state["optimizer"])
        step = state["step"]

    def save(folder):
        torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict(), "step": step}, folder / "state.pt")

    trained = torch.compile(model) if options["compile"] else model
    if group.size > 1:
        trained = DistributedDataParallel(trained, device_ids=[group.device.index] if group.device.type == "cuda" else None)

    while step < options["steps"]:
        step += 1
        # Whatever is drawn in a step, such as dropout, depends on the step alone: no generator goes into the checkpoint.
        torch.manual_seed((rethink.seed() * 1_000_003 + step) * group.size + group.rank)
        with precision():
            loss = trained(*training_batch(train_tokens, step, options, group))
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), options["clip"])
        for parameters in optimizer.param_groups:
            parameters["lr"] = learning_rate(step, options)
        optimizer.step()

        is_last = step == options["steps"]
        if step % options["log_every"] == 0 or is_last:
            rethink.log(step, **{"train/loss": group.sum(loss.item()) / group.size, "train/lr": learning_rate(step, options)})
            rethink.tick(step, options["steps"])
        if step % options["dev_every"] == 0 or is_last:
            nats = dev_loss(model, dev_tokens, options, group, precision)
            rethink.log(step, **{"dev/loss": nats, "dev/bits_per_byte": nats * bits})
        is_stopping = group.sum(float(rethink.stopping(step))) > 0  # all processes stop at one step
        if is_stopping or step % options["checkpoint_every"] == 0 or is_last:
            rethink.checkpoint(step, save)
        if is_stopping:
            break
    group.wait()  # the first process may still be saving
    if group.size > 1:
        dist.destroy_process_group()
    if step < options["steps"]:
        raise SystemExit(75)
    rethink.done()


main()
