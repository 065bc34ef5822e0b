"""BET's language model trained in plain PyTorch as a trial of `rethink` (job: command), beside the job `lm` of the same
setting: bet_lm.yaml is its sweep, bet_lm_table.yaml the WikiText-2 table with its rows.

The text, its vocabulary, the model (decoders.py), Adam, clipping and the evaluation are those of `lm`; batches are drawn in
another order and weights begin with other numbers, so two seeds differ as much as `lm` and this program do. A checkpoint
holds everything that the next step depends on; random numbers follow from the seed and the step alone.
"""
import argparse
import collections
import copy
import csv
import math
import os

try:
    import torch
except ImportError:
    raise SystemExit("needs PyTorch: pip install torch, for the python3 on PATH") from None

import decoders
import rethink

PAD, START, END, UNKNOWN = range(4)


def read_lines(file, config):
    """Words of each line that is long enough."""
    with open(file, encoding="utf-8", newline="\n") as lines:
        for line in lines:
            if len(line) < config["min_characters"]:
                continue
            words = (line.lower() if config["lowercase"] else line).split()[: config["max_tokens"]]
            if words:
                yield words


def make_vocabulary(file, config):
    """The most frequent words of the whole lines, equal ones in the order of the text."""
    counts = collections.Counter()
    for words in read_lines(file, {**config, "max_tokens": None}):
        counts.update(words)
    special = {"<pad>": PAD, "<start>": START, "<end>": END, "<unk>": UNKNOWN}
    for word in special:
        counts.pop(word, None)
    ids = {word: number for number, (word, _) in enumerate(counts.most_common(config["vocabulary"]), len(special))}
    return {**special, **ids}


def read_split(file, vocabulary, config):
    return [[START, *(vocabulary.get(word, UNKNOWN) for word in words), END] for words in read_lines(file, config)]


def make_batch(sequences, device):
    """What decoders.LanguageModel takes: padded inputs, and the positions and words that it is to predict."""
    length = max(map(len, sequences)) - 1
    inputs = torch.full((len(sequences), length), PAD)
    targets = torch.full((len(sequences), length), PAD)
    for row, sequence in enumerate(sequences):
        inputs[row, : len(sequence) - 1] = torch.tensor(sequence[:-1])
        targets[row, : len(sequence) - 1] = torch.tensor(sequence[1:])
    rows = targets.flatten().ne(PAD).nonzero().squeeze(1)
    return {"input_ids": inputs.to(device), "rows": rows.to(device), "targets": targets.flatten()[rows].to(device)}


def sentence_losses(model, sequences, device, batch=64):
    """Negative log-likelihood [nats] and number of predicted words of each sequence, in their order."""
    model.eval()
    losses = []
    with torch.no_grad():
        for begin in range(0, len(sequences), batch):
            part = sequences[begin : begin + batch]
            words = make_batch(part, device)
            loss = torch.nn.functional.cross_entropy(model.scores(words), words["targets"], reduction="none").double()
            begin_of = 0
            for sequence in part:
                count = len(sequence) - 1
                losses.append((loss[begin_of : begin_of + count].sum().item(), count))
                begin_of += count
    model.train()
    return losses


def perplexity(losses):
    """Each predicted word weighs the same."""
    return math.exp(sum(nll for nll, _ in losses) / sum(count for _, count in losses))


def line_perplexity(losses):
    """Each line weighs the same, as in BET's released code."""
    return math.exp(sum(nll / count for nll, count in losses) / len(losses))


def main():
    config, seed = rethink.config(), rethink.seed()
    torch.set_num_threads(int(os.environ.get("OMP_NUM_THREADS", "1")))
    torch.use_deterministic_algorithms(True)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    text = {split: os.environ[f"RETHINK_DATA_{split.upper()}"] for split in ("train", "dev", "test")}
    vocabulary = make_vocabulary(text["train"], config)
    train, dev, test = (read_split(text[split], vocabulary, config) for split in ("train", "dev", "test"))
    train = train[: config["max_train_sequences"] or None]

    torch.manual_seed(seed)
    shape = argparse.Namespace(**{name: config[name] for name in ("layers", "d_model", "heads", "ffn", "attention")},
                               vocabulary=len(vocabulary), tokens=config["max_tokens"] + 2)
    model = decoders.LanguageModel(shape, config["dropout"]).to(device)
    optimizer = torch.optim.Adam(model.parameters(), lr=config["lr"])
    batches = -(-len(train) // config["batch"])
    steps = config["steps"] or config["epochs"] * batches
    step, tokens, best, best_model, order = 0, 0, math.inf, None, None

    if folder := rethink.resume():
        state = torch.load(folder / "state.pt", map_location=device, weights_only=True)
        model.load_state_dict(state["model"])
        optimizer.load_state_dict(state["optimizer"])
        step, tokens, best, best_model = state["step"], state["tokens"], state["best"], state["best_model"]

    def save(folder):
        state = {"model": model.state_dict(), "optimizer": optimizer.state_dict(), "step": step, "tokens": tokens, "best": best, "best_model": best_model}
        torch.save(state, folder / "state.pt")

    while step < steps:
        epoch, place = divmod(step, batches)
        if order is None or place == 0:
            order = torch.randperm(len(train), generator=torch.Generator().manual_seed(seed * 1_000_003 + epoch)).tolist()
        torch.manual_seed((seed * 1_000_003 + step) % 2**63)  # of dropout
        chosen = order[place * config["batch"] : (place + 1) * config["batch"]]
        sequences = [train[index] for index in chosen]
        tokens += sum(len(sequence) - 1 for sequence in sequences)
        loss = model.loss(make_batch(sequences, device))
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), config["clip"])
        optimizer.step()
        step += 1
        if step % config["log_every"] == 0:
            rethink.log(step, **{"train/loss": loss})
            rethink.tick(step, steps)
        if step % batches == 0 or step == steps:
            found = perplexity(sentence_losses(model, dev, device))
            rethink.log(step, **{"dev/perplexity": found})
            if found < best:
                best, best_model = found, copy.deepcopy(model.state_dict())
        if rethink.stopping(step) or (step % batches == 0 and step < steps):
            rethink.checkpoint(step, save)
        if rethink.stopping(step):
            raise SystemExit(75)

    model.load_state_dict(best_model)
    losses = sentence_losses(model, test, device)
    with open("predictions.csv", "w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["split", "nll", "tokens"])
        rows.writerows(["test", repr(nll), count] for nll, count in losses)
    rethink.log(step, **{"test/perplexity": perplexity(losses), "test/line_perplexity": line_perplexity(losses)})
    # The arms of a table should agree in these numbers.
    rethink.log(step, parameters=sum(part.numel() for part in model.parameters()), tokens_seen=tokens)
    rethink.artifact("predictions", "predictions.csv")


main()
