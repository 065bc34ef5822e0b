"""Computes verdicts of claims on UD English-EWT from only the files of a record, and compares them with `rethink claims`.

    verdicts.py STORE CLAIMS.json     CLAIMS.json: `rethink claims bet --profile verdict --store STORE --format json`

The program is not used: values are computed from each trial's losses of lines (artifacts/predictions.safetensors),
arms come from trial.json, Student's t is integrated numerically. The rules are those of docs/claims.md and plots/claims/bet.yaml. Prints a line for
each claim; exits with 1 if a verdict or a number differs.
"""
import json
import math
import pathlib
import struct
import sys

SEEDS = [2, 3, 4, 5, 6]
ALPHA = 0.05  # one look: last_look of this column is at five seeds, so it takes the alphas of both looks
ARMS = {
    "Transformer": {"kind": "diag_scale", "rate": 1.0},
    "DiagFreeMask": {"kind": "diag_free"},
    "BET(SG)": {"kind": "syntax_guided"},
    "BET(SF)": {"kind": "bird_eye", "diagonal_mask": True},
}
# claim: row, than, test, bound (smallest or margin); less perplexity is better
CLAIMS = {
    "diag_free_ud": ("DiagFreeMask", "Transformer", "better", 0.11),
    "bird_eye_ud": ("BET(SF)", "Transformer", "better", 0.39),
    "bird_eye_alike_ud": ("BET(SF)", "Transformer", "alike", 0.78),
    "syntax_guided_ud": ("BET(SG)", "BET(SF)", "better", 0.33),
    "syntax_guided_above_transformer_ud": ("BET(SG)", "Transformer", "better", 0.72),
}


def tensors(file):
    data = file.read_bytes()
    (length,) = struct.unpack("<Q", data[:8])
    found = {}
    for name, about in json.loads(data[8:8 + length]).items():
        begin, end = (8 + length + offset for offset in about["data_offsets"])
        kind = {"F64": "d", "I64": "q"}[about["dtype"]]
        found[name] = struct.unpack(f"<{(end - begin) // 8}{kind}", data[begin:end])
    return found


def line_perplexity(trial):
    """exp of the mean over the test split's lines of a line's loss per token."""
    predictions = tensors(trial / "artifacts/predictions.safetensors")
    lines = [nll / tokens for nll, tokens in zip(predictions["test/nll"], predictions["test/tokens"]) if tokens]
    return math.exp(math.fsum(lines) / len(lines))


def values_of(store):
    """Returns the perplexity by arm and seed, of the trials of the profile `verdict`."""
    found = {arm: {} for arm in ARMS}
    for file in sorted(store.glob("trials/*/trial.json")):
        trial = json.loads(file.read_text())
        config, seed = trial["config"], trial["seed"]
        if seed not in SEEDS or config.get("data", {}).get("dataset") != "ud_english_ewt":
            continue
        attention = config["model"]["attention"]
        for arm, options in ARMS.items():
            if all(attention.get(name) == value for name, value in options.items()):
                assert seed not in found[arm], f"two trials of {arm} with seed {seed}"
                found[arm][seed] = line_perplexity(file.parent)
    for arm, values in found.items():
        assert sorted(values) == SEEDS, f"{arm} has seeds {sorted(values)}"
    return found


def t_above(t, freedom):
    """P(T > t) of Student's t for t >= 0: Simpson's rule on the density, with x = tan(angle)."""
    scale = math.gamma((freedom + 1) / 2) / (math.sqrt(freedom * math.pi) * math.gamma(freedom / 2))
    begin, end, parts = math.atan(t), math.pi / 2, 20000
    step = (end - begin) / parts

    def density(angle):
        cosine = math.cos(angle)
        if cosine < 1e-9:
            return 0.0
        x = math.tan(angle)
        return scale * (1 + x * x / freedom) ** (-(freedom + 1) / 2) / cosine ** 2

    total = density(begin) + density(end)
    total += sum((4 if part % 2 else 2) * density(begin + part * step) for part in range(1, parts))
    return total * step / 3


def t_quantile(above, freedom):
    low, high = 0.0, 1e4
    while high - low > 1e-10 * max(1.0, low):
        middle = (low + high) / 2
        low, high = (middle, high) if t_above(middle, freedom) > above else (low, middle)
    return (low + high) / 2


def judge(gains, test, bound):
    """Returns the verdict, and the mean, interval and p of the differences, whose sign is the claim's."""
    count = len(gains)
    mean = math.fsum(gains) / count
    error = math.sqrt(math.fsum((gain - mean) ** 2 for gain in gains) / (count - 1) / count)
    tail = ALPHA if test == "alike" else ALPHA / 2
    half = t_quantile(tail, count - 1) * error
    low, high = mean - half, mean + half

    def p_against(value):
        return 2 * t_above(abs(mean - value) / error, count - 1)

    def above(value):  # P(T > t), t of either sign
        one_side = t_above(abs(value), count - 1)
        return one_side if value >= 0 else 1 - one_side

    if test == "alike":
        p = max(above((mean + bound) / error), above((bound - mean) / error))
        inside, outside = -bound < low and high < bound, high < -bound or low > bound
        if outside:  # decided by the wider interval, since it may have been beyond the other margin
            half = t_quantile(ALPHA / 2, count - 1) * error
            low, high = mean - half, mean + half
            outside = high < -bound or low > bound
            if outside:
                p = 2 * above((abs(mean) - bound) / error)
        verdict = "holds" if inside else "fails" if outside else "undecided"
    else:
        verdict = "undecided"
        if low > 0:
            verdict = "holds, smaller than claimed" if high < bound else "holds"
        elif high < bound:
            verdict = "fails"
        p = p_against(bound if verdict == "fails" else 0)
    return verdict, {"gain": mean, "low": low, "high": high, "p": p}


def adjusted(p_of):
    """Benjamini and Hochberg's q by claim."""
    q_of, least = {}, 1.0
    falling = sorted(p_of, key=p_of.get, reverse=True)
    for rank, name in zip(range(len(falling), 0, -1), falling):
        least = min(least, p_of[name] * len(falling) / rank)
        q_of[name] = least
    return q_of


def main(store, claims_file):
    values = values_of(pathlib.Path(store))
    theirs = {claim["claim"]: claim for claim in json.loads(pathlib.Path(claims_file).read_text())}
    judged = {name for name, claim in theirs.items() if claim["judgement"]}
    assert judged == set(CLAIMS), f"q is of other claims too: {sorted(judged)}"
    ours = {}
    for name, (row, than, test, bound) in CLAIMS.items():
        gains = [values[than][seed] - values[row][seed] for seed in SEEDS]
        verdict, numbers = judge(gains, test, bound)
        ours[name] = {"verdict": verdict, **numbers}
    for name, q in adjusted({name: claim["p"] for name, claim in ours.items()}).items():
        ours[name]["q"] = q
    differ = 0
    for name, own in ours.items():
        given = {**theirs[name]["judgement"], "verdict": theirs[name]["verdict"], "q": theirs[name]["q"]}
        same = own["verdict"] == given["verdict"] and all(
            math.isclose(own[key], given[key], rel_tol=1e-6, abs_tol=1e-9) for key in ("gain", "low", "high", "p", "q"))
        differ += not same
        print("{}: {verdict}; {gain:.4f} [{low:.4f}, {high:.4f}], p {p:.4g}, q {q:.4g}".format(name, **own) +
              ("" if same else f"; rethink: {given}"))
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
