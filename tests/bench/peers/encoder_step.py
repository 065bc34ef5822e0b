"""One step of BERT's pretraining in Hugging Face's transformers, and `rethink bench encoder_step`, in turns.

Set-up (about 3 GB): python3 -m venv VENV && VENV/bin/pip install torch==2.11.0 transformers==5.23.0 numpy
Run:                 VENV/bin/python tests/bench/peers/encoder_step.py WORKER [--layers 2 ...]

The worker writes the model, in Hugging Face's form, and its batches; all begin with these. First ours and every
setting that will be timed take 20 steps without dropout, and nothing is timed unless each one's losses are ours to
1e-5, or to 1e-3 where one of the two computes in bfloat16. Then each takes a few steps while the others wait, round
after round; the first step of a turn, whose caches are the others', does not count.

Hugging Face's settings, all of them with PyTorch's fused attention entry point, gradients set to None and flushed
denormals: its own head, which scores every token, or the same head on the masked rows alone; AdamW fused or not;
eager or torch.compile; float32 or bfloat16 autocast.
"""
import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time

os.environ["HF_HUB_OFFLINE"] = "1"
import torch
import torch.nn.functional as F
import transformers
from safetensors.torch import load_file

STEPS_THAT_AGREE = 20
SETTINGS = {  # name: (masked rows only, fused AdamW, compiled, bfloat16)
    "eager": (False, False, False, False),
    "eager, fused AdamW": (False, True, False, False),
    "eager, fused AdamW, masked rows": (True, True, False, False),
    "compiled, fused AdamW": (False, True, True, False),
    "compiled, fused AdamW, masked rows": (True, True, True, False),
    "eager, fused AdamW, bfloat16": (False, True, False, True),
    "eager, fused AdamW, masked rows, bfloat16": (True, True, False, True),
    "compiled, fused AdamW, masked rows, bfloat16": (True, True, True, True),
}


class Ours:
    """`rethink-worker bench encoder_step --in_turns true`: a number of steps in, their times and losses out."""

    def __init__(self, arguments, folder, dropout):
        words = [arguments.worker, "bench", "encoder_step", "--in_turns", "true", "--folder", folder,
                 "--dropout", str(dropout), "--precision", arguments.precision]
        for name in ("threads", "layers", "d_model", "heads", "ffn", "vocabulary", "batch", "tokens"):
            words += ["--" + name, str(getattr(arguments, name))]
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
        return answer["ms"], answer["losses"]

    def close(self):
        self.process.stdin.close()
        self.process.wait()


class Theirs:
    """transformers' BertForPreTraining from the same folder, on the same batches."""

    def __init__(self, folder, masked_rows, fused, compiled, bfloat16):
        self.model = transformers.BertForPreTraining.from_pretrained(folder, attn_implementation="sdpa")
        self.model.train()
        matrices = [p for p in self.model.parameters() if p.dim() > 1]
        vectors = [p for p in self.model.parameters() if p.dim() <= 1]
        self.optimizer = torch.optim.AdamW(
            [{"params": matrices, "weight_decay": 0.01}, {"params": vectors, "weight_decay": 0.0}],
            lr=1e-4, eps=1e-6, fused=fused)
        self.bfloat16 = bfloat16
        self.batches = batches_in(folder)
        loss = self.masked_rows_loss if masked_rows else self.whole_loss
        self.loss = torch.compile(loss) if compiled else loss
        self.next = 0

    def whole_loss(self, batch):
        return self.model(input_ids=batch["input_ids"], token_type_ids=batch["token_type_ids"],
                          labels=batch["labels"], next_sentence_label=batch["next_sentence"]).loss

    def masked_rows_loss(self, batch):
        found = self.model.bert(input_ids=batch["input_ids"], token_type_ids=batch["token_type_ids"])
        rows = found.last_hidden_state.flatten(0, 1).index_select(0, batch["masked_positions"])
        scores = self.model.cls.predictions(rows)
        following = self.model.cls.seq_relationship(found.pooler_output)
        return F.cross_entropy(scores, batch["masked_labels"]) + F.cross_entropy(following, batch["next_sentence"])

    def steps(self, count):
        times, losses = [], []
        for _ in range(count):
            batch = self.batches[self.next % len(self.batches)]
            self.next += 1
            start = time.perf_counter()
            self.optimizer.zero_grad(set_to_none=True)
            with torch.autocast("cpu", torch.bfloat16, enabled=self.bfloat16):
                loss = self.loss(batch)
            loss.backward()
            self.optimizer.step()
            times.append(1000 * (time.perf_counter() - start))
            losses.append(loss.item())
        return times, losses


def batches_in(folder):
    columns, batches = load_file(os.path.join(folder, "batches.safetensors")), {}
    for name, column in columns.items():
        index, column_name = name.split("/")
        batches.setdefault(int(index), {})[column_name] = column
    for batch in batches.values():
        assert batch["keep"].all(), "a batch with padding: the peer is given no mask"
        labels = torch.full(batch["input_ids"].shape, -100)
        labels.view(-1)[batch["masked_positions"]] = batch["masked_labels"]
        batch["labels"] = labels
    return [batches[index] for index in sorted(batches)]


def check_losses(arguments, folder, chosen):
    """Refuses to go on where 20 steps without dropout do not give the same losses in every setting."""
    ours = Ours(arguments, folder, 0.0)
    mine = ours.steps(STEPS_THAT_AGREE)[1]
    ours.close()
    print(f"losses of {STEPS_THAT_AGREE} steps without dropout, {mine[0]:.6f} to {mine[-1]:.6f}; theirs are apart by")
    apart = []
    for name in chosen:
        masked_rows, fused, compiled, bfloat16 = SETTINGS[name]
        theirs = Theirs(folder, masked_rows, fused, compiled, bfloat16)
        worst = max(abs(a - b) / abs(b) for a, b in zip(mine, theirs.steps(STEPS_THAT_AGREE)[1]))
        allowed = 1e-3 if bfloat16 or arguments.precision == "bfloat16" else 1e-5
        print(f"{name:<46} {worst:9.1e}    (at most {allowed:g})", flush=True)
        if not worst <= allowed:
            apart.append(name)
    if apart:
        sys.exit(f"not ours are the losses of: {'; '.join(apart)}. There is nothing to compare")


def spread(times):
    times = sorted(times)
    return statistics.median(times), times[len(times) // 10], times[len(times) * 9 // 10]


def compare(arguments, folder, chosen):
    ours = Ours(arguments, folder, arguments.dropout)
    theirs = {name: Theirs(folder, *SETTINGS[name]) for name in chosen}
    times = {name: [] for name in ["ours", *chosen]}
    for name, side in [("ours", ours), *theirs.items()]:
        side.steps(3)  # what is compiled, cached and allocated once
    for _ in range(arguments.rounds):
        for name, side in [("ours", ours), *theirs.items()]:
            times[name] += side.steps(1 + arguments.steps)[0][1:]
    ours.close()
    facts = ours.facts
    print(f"{facts['processor']}, {facts['backend']}, {facts['threads']} thread(s); {facts['program']} "
          f"{facts['build']}, {arguments.precision}; PyTorch {torch.__version__}, transformers "
          f"{transformers.__version__}; {len(times['ours'])} steps each, in turns")
    base = spread(times["ours"])[0]
    for name, taken in times.items():
        median, low, high = spread(taken)
        print(f"{name:<46} {median:9.2f} ms ({low:.2f} to {high:.2f})  {median / base:5.2f}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("worker")
    for name, value in dict(rounds=10, steps=3, threads=1, layers=4, d_model=256, heads=4, ffn=1024, vocabulary=8192,
                            batch=8, tokens=128).items():
        parser.add_argument("--" + name, type=int, default=value)
    parser.add_argument("--dropout", type=float, default=0.1)
    parser.add_argument("--precision", choices=["float32", "bfloat16"], default="float32")
    parser.add_argument("--only", help="settings of Hugging Face with these words in their name")
    parser.add_argument("--without", help="none with these")
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    torch.set_flush_denormal(True)
    torch.manual_seed(0)
    transformers.logging.set_verbosity_error()
    transformers.logging.disable_progress_bar()
    chosen = [name for name in SETTINGS if not arguments.only or arguments.only in name]
    chosen = [name for name in chosen if not arguments.without or arguments.without not in name]
    with tempfile.TemporaryDirectory() as folder:
        check_losses(arguments, folder, chosen)
        compare(arguments, folder, chosen)


if __name__ == "__main__":
    main()
