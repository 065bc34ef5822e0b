"""Operators, copies, bytes moved and the roofline time of a training step on a GPU, without a GPU.

Run: python3 tests/bench/gpu_roofline.py build/release/fake_cuda/rethink-worker [NAME]      NAME: of STEPS

The fake GPU of the tests lists each operator of a step with the bytes that it reads and writes and the operations of its
products (tests/fake_cuda/operators.cpp). Its sizes are those of small batches and few layers. A call's numbers grow
linearly with the batch, and a step's with the layers, so four small steps give those of the whole model. The roofline time
is the sum over all calls of the longer of two times: its bytes at the memory's rate, its operations at the rate of the
products' precision. No step can be faster on that GPU by these operators; waits between launches come on top.
"""
import json
import os
import subprocess
import sys
import tempfile

# NVIDIA's data sheet of the H100 SXM5: bytes a second, and operations a second without sparsity.
MEMORY = 3.35e12
PRODUCTS = {"bfloat16": 989e12, "tf32": 494e12, "float32": 67e12}
BERT = dict(what="encoder_step", d_model=768, heads=12, ffn=3072, vocabulary=30522, batches=1)
STEPS = {
    "BERT-base, 256 pairs of 128": dict(BERT, layers=12, batch=256, tokens=128, precision="bfloat16"),
    "BERT-base, 64 pairs of 512": dict(BERT, layers=12, batch=64, tokens=512, precision="bfloat16"),
    "BET's 1 x 300, 64 lines of 100": dict(what="lm_step", d_model=300, heads=1, ffn=2048, vocabulary=33278, layers=6,
                                           batch=64, tokens=100, precision="tf32"),
}
SMALL_BATCHES, FEW_LAYERS = (2, 4), (1, 2)


def lines_of(worker, step, layers, batch, steps):
    """Returns the device's work in the first `steps` + 1 steps, in order."""
    words = [worker, "bench", step["what"], "--device", "cuda", "--warmup", "0", "--steps", str(steps)]
    for name, value in {**step, "layers": layers, "batch": batch}.items():
        words += [] if name == "what" else ["--" + name, str(value)]
    with tempfile.TemporaryDirectory() as report:
        environment = {**os.environ, "FAKE_GPUS": "H100=GPU-aa1", "FAKE_CUDA_REPORT": report, "FAKE_CUDA_WORK": "1"}
        subprocess.run(words, env=environment, check=True, stdout=subprocess.DEVNULL)
        lines = []
        for file in os.listdir(report):
            lines += [line.split() for line in open(os.path.join(report, file))]
    return [line for line in lines if line[0] == "work"]


def calls_of(worker, step, layers, batch):
    """Returns (operator, bytes, operations, dtype) of each call of a step after the first."""
    fewer = len(lines_of(worker, step, layers, batch, 1))
    lines = lines_of(worker, step, layers, batch, 2)
    return [(name, int(moved), int(operations), dtype) for _, name, moved, operations, dtype in lines[fewer:]]


def sums_of(worker, step, layers):
    """Returns operators, copies, bytes, operations and seconds of a step with that many layers."""
    small, large = (calls_of(worker, step, layers, batch) for batch in SMALL_BATCHES)
    if [call[0] for call in small] != [call[0] for call in large]:
        sys.exit("a larger batch calls other operators: the sizes cannot be continued to the whole batch")
    factor = (step["batch"] - SMALL_BATCHES[0]) / (SMALL_BATCHES[1] - SMALL_BATCHES[0])
    sums = [0.0] * 5
    for (name, *few, dtype), (_, *more, _) in zip(small, large):
        moved, operations = (a + factor * (b - a) for a, b in zip(few, more))
        rate = PRODUCTS["bfloat16" if dtype == "BFloat16" else "float32" if step["precision"] == "bfloat16" else step["precision"]]
        found = (name != "copy", name == "copy", moved, operations, max(moved / MEMORY, operations / rate))
        sums = [a + b for a, b in zip(sums, found)]
    return sums


def main():
    worker, names = sys.argv[1], sys.argv[2:] or list(STEPS)
    print(f"{'a step of':<32} {'operators':>9} {'copies':>7} {'GB moved':>9} {'TFLOP':>9} {'ms at the roof of an H100':>26}")
    for name in names:
        step = STEPS.get(name) or json.loads(name)
        one, two = (sums_of(worker, step, layers) for layers in FEW_LAYERS)
        operators, copies, moved, operations, seconds = (a + (step["layers"] - 1) * (b - a) for a, b in zip(one, two))
        label = name if name in STEPS else step["what"]
        print(f"{label:<32} {operators:9.0f} {copies:7.0f} {moved / 1e9:9.4g} {operations / 1e12:9.4g} {1000 * seconds:26.4g}",
              flush=True)


if __name__ == "__main__":
    main()
