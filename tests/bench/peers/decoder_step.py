"""One training step of a language model or a translation model in PyTorch, and `rethink-worker bench`'s, in turns.

Set-up (about 3 GB): python3 -m venv VENV && VENV/bin/pip install torch==2.11.0 numpy safetensors
Run: VENV/bin/python tests/bench/peers/decoder_step.py WORKER lm_step [--attention bird_eye --layers 2 ...]

turns.py describes the comparison; a side is timed only if its losses equal ours, in float32 to 1e-5. All sides use Adam,
dropout 0.1, gradients set to None and flushed denormals; Adam is fused or not, and the model is eager or compiled.
"""
import argparse
import os
import tempfile

import decoders
import torch
import turns

SETTINGS = {  # name: (fused Adam, compiled)
    "eager": (False, False),
    "eager, fused Adam": (True, False),
    "compiled, fused Adam": (True, True),
}
LM = dict(layers=4, d_model=128, heads=1, ffn=512, vocabulary=10000, batch=64, tokens=100)
MT = dict(encoder_layers=3, layers=3, d_model=128, heads=4, ffn=256, vocabulary=4000, batch=128, tokens=20)
MODELS = {"lm_step": (LM, decoders.LanguageModel), "mt_step": (MT, decoders.TranslationModel)}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("worker")
    parser.add_argument("what", choices=MODELS)
    sizes = MODELS[parser.parse_known_args()[0].what][0]
    turns.Setting.add_arguments(parser, rounds=5, steps=3)
    for name, value in sizes.items():
        parser.add_argument("--" + name, type=int, default=value)
    parser.add_argument("--attention", choices=["dense", "bird_eye"], default="dense")
    parser.add_argument("--dropout", type=float, default=0.1)
    a = parser.parse_args()
    setting = turns.Setting(a)
    options = {**setting.options(), **{name: getattr(a, name) for name in ["attention", *sizes]}}

    def ours(folder, dropout):
        return turns.Ours(a.worker, a.what, folder, {**options, "dropout": dropout})

    def theirs(folder, dropout, fused, compiled):
        model = decoders.with_weights(MODELS[a.what][1](a, dropout), os.path.join(folder, "model.safetensors"))
        model.to(a.device).train()
        loss = torch.compile(model.loss) if compiled else model.loss
        return turns.Training(folder, loss, torch.optim.Adam(model.parameters(), lr=1e-4, fused=fused), setting)

    with tempfile.TemporaryDirectory() as folder:
        sides = lambda dropout: {name: lambda s=way: theirs(folder, dropout, *s) for name, way in SETTINGS.items()}
        allowed = {name: turns.PRECISIONS[a.precision] for name in SETTINGS}
        agreeing, apart = turns.check_losses(ours(folder, 0.0), sides(0.0), allowed)
        side = ours(folder, a.dropout)
        tokens = sum(len(batch["targets"]) for batch in turns.batches_in(folder))
        theirs_timed = {name: make for name, make in sides(a.dropout).items() if name in agreeing}
        turns.compare(side, theirs_timed, a, f"{a.what}, {a.attention}", rate=(tokens, "tokens/s"))
    turns.exit_if_apart(apart)


if __name__ == "__main__":
    main()
