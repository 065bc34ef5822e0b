"""Computes the verdicts of made.sh's claims from only the files of its store, and compares them with `rethink claims`.

    made.py STORE CLAIMS.json

The rules are those of docs/claims.md. Intervals use a numerical integration of Student's t, trends use all orders of each seed's rows.
Prints a line for each claim; exits with 1 if a verdict or a number differs, or if the claims lack a kind of verdict.
"""
import collections
import itertools
import json
import math
import pathlib
import sys

from verdicts import adjusted, t_above, t_quantile

LOOKS = [(5, 0.025), (8, 0.025)]
ONE_LOOK = [(5, 0.05)]
# claim: row, than, test, bound (smallest or margin), looks, seeds
PAIRS = {
    "holds": ("d", "q", "better", 0, LOOKS, range(8)),
    "smaller": ("d", "q", "better", 0.7, LOOKS, range(8)),
    "open": ("d", "s", "better", 0, LOOKS, range(8)),
    "shut": ("e", "o", "better", 0, LOOKS, range(8)),
    "second": ("d", "i", "better", 0, LOOKS, range(8)),
    "fails": ("g", "i", "better", 0.13, LOOKS, range(8)),
    "undecided": ("a", "b", "better", 0, LOOKS, range(8)),
    "early": ("d", "i", "better", 0, ONE_LOOK, range(8)),
    "own": ("d", "q", "better", 0, ONE_LOOK, [2, 3, 4, 5, 6]),
    "alike": ("g", "i", "alike", 0.25, LOOKS, range(8)),
    "apart": ("d", "q", "alike", 0.1, LOOKS, range(8)),
    "worse": ("q", "d", "not_worse", 0.1, LOOKS, range(8)),
}
# claim: sign, looks, rows
NUMBERS, RISING = [1, 2, 3, 4, 5], [2, 10, 11, 16]
TRENDS = {"rises": (1, LOOKS, NUMBERS), "falls": (-1, ONE_LOOK, NUMBERS), "follows": (1, LOOKS, RISING), "against": (-1, LOOKS, RISING)}
GATES = {"open": ("q", "s"), "shut": ("a", "b")}
PILOT = [100, 101, 102]
CLOSED = {"shut"}


def values_of(store):
    """The last training loss by tag and seed."""
    values = {}
    for file in sorted(store.glob("trials/*/trial.json")):
        trial = json.loads(file.read_text())
        result = json.loads((file.parent / "result.json").read_text())
        values[trial["config"]["tag"], trial["seed"]] = result["metrics"]["train/loss"]
    return values


def above(t, freedom):
    """P(T > t), t of either sign."""
    one_side = t_above(abs(t), freedom)
    return one_side if t >= 0 else 1 - one_side


def spread_of(gains):
    mean = math.fsum(gains) / len(gains)
    deviation = math.sqrt(math.fsum((gain - mean) ** 2 for gain in gains) / (len(gains) - 1))
    return mean, deviation, deviation / math.sqrt(len(gains))


def judge(gains, test, bound, alpha):
    mean, deviation, error = spread_of(gains)
    freedom = len(gains) - 1

    def interval(tail):
        half = t_quantile(tail, freedom) * error
        return mean - half, mean + half

    def apart_from(value):
        return 2 * t_above(abs(mean - value) / error, freedom)

    if test == "alike":
        low, high = interval(alpha)
        p = max(above((mean + bound) / error, freedom), above((bound - mean) / error, freedom))
        verdict = "holds" if -bound < low and high < bound else "undecided"
        wide = interval(alpha / 2)
        if verdict == "undecided" and (wide[1] < -bound or wide[0] > bound):
            verdict, (low, high), p = "fails", wide, 2 * above((abs(mean) - bound) / error, freedom)
    else:
        low, high = interval(alpha / 2)
        bar, smallest = (-bound, -bound) if test == "not_worse" else (0, bound)
        if low > bar:
            verdict = "holds, smaller than claimed" if high < smallest else "holds"
        else:
            verdict = "fails" if high < smallest else "undecided"
        p = apart_from(smallest if verdict == "fails" else bar)
    return {"verdict": verdict, "gain": mean, "low": low, "high": high, "p": min(1, p), "sd": deviation, "alpha": alpha}


def judge_trend(lines, sign, alpha):
    """Compares Kendall's S of all lines with its distribution over all orders of each line."""
    def order(line):
        return sum(1 if line[k] > line[i] else -1 for i in range(len(line)) for k in range(i + 1, len(line)))

    observed = sum(order(line) for line in lines)
    by_chance = collections.Counter({0: 1})
    for line in lines:
        own = collections.Counter(order(one) for one in itertools.permutations(line))
        both = collections.Counter()
        for (a, times), (b, more) in itertools.product(by_chance.items(), own.items()):
            both[a + b] += times * more
        by_chance = both
    p = sum(times for s, times in by_chance.items() if abs(s) >= abs(observed)) / sum(by_chance.values())
    pairs = len(lines[0]) * (len(lines[0]) - 1) / 2
    tau = sign * observed / (pairs * len(lines))
    verdict = "undecided" if p > alpha else "holds" if tau > 0 else "fails"
    return {"verdict": verdict, "gain": tau, "p": p, "alpha": alpha}


def looks_of(name, values):
    """Returns the looks until one of them decides the claim."""
    taken = []
    looks = PAIRS[name][4] if name in PAIRS else TRENDS[name][1]
    for count, alpha in looks:
        if name in PAIRS:
            row, than, test, bound, _, seeds = PAIRS[name]
            look = judge([values[row, seed] - values[than, seed] for seed in list(seeds)[:count]], test, bound, alpha)
        else:
            lines = [[values[str(tag), seed] for tag in TRENDS[name][2]] for seed in range(count)]
            look = judge_trend(lines, TRENDS[name][0], alpha)
        taken.append({"seeds": count, **look})
        if look["verdict"] != "undecided":
            break
    return taken


def differing(own, given):
    """Returns the members of `own` that differ in `given`."""
    return [name for name, value in own.items() if not (
        value == given[name] if isinstance(value, str) else math.isclose(value, given[name], rel_tol=1e-6, abs_tol=1e-9))]


def gates_differ(store, values):
    """Returns the differences between the records of gates and the pilot's files."""
    records = {look["claim"]: look for look in (json.loads(file.read_text()) for file in store.glob("looks/*.json"))}
    wrong = []
    for gate, (row, than) in GATES.items():
        mean, _, error = spread_of([values[row, seed] - values[than, seed] for seed in PILOT])
        half = t_quantile(0.025, len(PILOT) - 1) * error
        record = records[f"gate {gate} on x"]
        own = {"gain": mean, "low": mean - half, "high": mean + half}
        verdict = "passed" if own["low"] > 0 else "closed"
        print(f"gate {gate}: {verdict}; {mean:.4f} [{own['low']:.4f}, {own['high']:.4f}]")
        if verdict != record["verdict"] or differing(own, record["numbers"]):
            wrong.append(f"gate {gate}: {record}")
    return wrong


def main(store, claims_file):
    store = pathlib.Path(store)
    values = values_of(store)
    theirs = {claim["claim"]: claim for claim in json.loads(pathlib.Path(claims_file).read_text())}
    assert set(theirs) == set(PAIRS) | set(TRENDS), sorted(theirs)
    taken = {name: looks_of(name, values) for name in theirs}
    q_of = adjusted({name: min(1, looks[-1]["p"] * 0.05 / looks[-1]["alpha"])
                     for name, looks in taken.items() if name not in CLOSED})
    wrong = gates_differ(store, values)
    for name, looks in taken.items():
        given = theirs[name]
        verdict = "not at this scale" if name in CLOSED else looks[-1]["verdict"]
        print(f"{name}: {verdict} after {looks[-1]['seeds']} seeds; {looks[-1]['gain']:.4f}, p {looks[-1]['p']:.4g}")
        same = given["verdict"] == verdict and len(given["looks"]) == len(looks) and (
            given["q"] is None if name in CLOSED else math.isclose(given["q"], q_of[name], rel_tol=1e-6))
        if not same or any(differing(own, look) for own, look in zip(looks, given["looks"])):
            wrong.append(f"{name}: {given}")
    kinds = {claim["verdict"] for claim in theirs.values()} | {len(claim["looks"]) for claim in theirs.values()}
    kinds |= {"a trend that " + theirs[name]["verdict"] for name in TRENDS}
    lacking = {"holds", "holds, smaller than claimed", "fails", "undecided", "not at this scale", 1, 2, "a trend that holds",
               "a trend that fails"} - kinds
    print(*wrong, *(f"no claim has {kind}" for kind in lacking), sep="\n")
    return 1 if wrong or lacking else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
