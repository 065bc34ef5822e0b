"""One step of BERT's pretraining in Hugging Face's transformers, and `rethink bench encoder_step`, in turns.

Set-up (about 3 GB): python3 -m venv VENV && VENV/bin/pip install torch==2.11.0 transformers==5.23.0 numpy
Run:                 VENV/bin/python tests/bench/peers/encoder_step.py WORKER [--layers 2 ...]

turns.py describes the comparison. A side is timed only if its losses equal ours to 1e-5, or to 1e-3 if one of the two
computes in bfloat16. The worker writes the model in Hugging Face's form.

Hugging Face's settings, all of them with PyTorch's fused attention entry point, gradients set to None and flushed
denormals: its own head, which scores every token, or the same head on the masked rows alone; AdamW fused or not;
eager or torch.compile; float32 or bfloat16 autocast.
"""
import argparse
import os
import tempfile

os.environ["HF_HUB_OFFLINE"] = "1"
import torch
import torch.nn.functional as F
import transformers
import turns

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


SIZES = dict(layers=4, d_model=256, heads=4, ffn=1024, vocabulary=8192, batch=8, tokens=128)


def ours(arguments, setting, folder, dropout):
    options = {name: getattr(arguments, name) for name in SIZES}
    return turns.Ours(arguments.worker, "encoder_step", folder, {**setting.options(), **options, "dropout": dropout})


def theirs(folder, setting, masked_rows, fused, compiled, bfloat16):
    """Returns transformers' BertForPreTraining from the same folder, on the same batches."""
    model = transformers.BertForPreTraining.from_pretrained(folder, attn_implementation="sdpa")
    model.to(setting.device).train()
    matrices = [p for p in model.parameters() if p.dim() > 1]
    vectors = [p for p in model.parameters() if p.dim() <= 1]
    optimizer = torch.optim.AdamW(
        [{"params": matrices, "weight_decay": 0.01}, {"params": vectors, "weight_decay": 0.0}],
        lr=1e-4, eps=1e-6, fused=fused)

    def whole_loss(batch):
        return model(input_ids=batch["input_ids"], token_type_ids=batch["token_type_ids"],
                     labels=batch["labels"], next_sentence_label=batch["next_sentence"]).loss

    def masked_rows_loss(batch):
        found = model.bert(input_ids=batch["input_ids"], token_type_ids=batch["token_type_ids"])
        rows = found.last_hidden_state.flatten(0, 1).index_select(0, batch["masked_positions"])
        scores = model.cls.predictions(rows)
        following = model.cls.seq_relationship(found.pooler_output)
        return F.cross_entropy(scores, batch["masked_labels"]) + F.cross_entropy(following, batch["next_sentence"])

    loss = masked_rows_loss if masked_rows else whole_loss
    side = turns.Training(folder, torch.compile(loss) if compiled else loss, optimizer, setting, bfloat16)
    for batch in side.batches:
        assert batch["keep"].all(), "a batch with padding: the peer is given no mask"
        labels = torch.full(batch["input_ids"].shape, -100, device=setting.device)
        labels.view(-1)[batch["masked_positions"]] = batch["masked_labels"]
        batch["labels"] = labels
    return side


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("worker")
    turns.Setting.add_arguments(parser, rounds=10, steps=3)
    for name, value in SIZES.items():
        parser.add_argument("--" + name, type=int, default=value)
    parser.add_argument("--dropout", type=float, default=0.1)
    turns.add_choice(parser)
    arguments = parser.parse_args()
    setting = turns.Setting(arguments)
    transformers.logging.set_verbosity_error()
    transformers.logging.disable_progress_bar()
    chosen = turns.chosen(SETTINGS, arguments)
    with tempfile.TemporaryDirectory() as folder:
        sides = {name: lambda name=name: theirs(folder, setting, *SETTINGS[name]) for name in chosen}
        allowed = {name: turns.PRECISIONS["bfloat16" if SETTINGS[name][3] else arguments.precision] for name in chosen}
        agreeing, apart = turns.check_losses(ours(arguments, setting, folder, 0.0), sides, allowed)
        turns.compare(ours(arguments, setting, folder, arguments.dropout), {name: sides[name] for name in agreeing},
                      arguments, f"transformers {transformers.__version__}")
    turns.exit_if_apart(apart)


if __name__ == "__main__":
    main()
