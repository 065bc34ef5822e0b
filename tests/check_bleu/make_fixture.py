"""Writes tests/fixtures/bleu: lines of a book, the same lines changed at random, and their scores in sacreBLEU.

    python -m pip install sacrebleu==2.6.0
    python tests/check_bleu/make_fixture.py TEXT     a text of the public domain
"""
import json
import pathlib
import random
import sys

import sacrebleu
from sacrebleu.metrics import BLEU
from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a

FOLDER = pathlib.Path(__file__).parent.parent / "fixtures/bleu"
# Texts that books lack: entities, numbers, several marks in a row, letters and spaces beyond ASCII, tags.
ODD = [
    "It cost $1,234.50 (or 1.234,50 EUR), i.e. 3.5-4 % more -- &quot;a bargain&quot; &amp; more &lt;b&gt;...",
    "Éric s'écrie : « Où est-ce ? » – 12-jähriger Bäcker, Nr.7,8. 3.,4 ,5 .6 a.b,c",
    "<skipped> e-mail: a_b@c.org/path?x=1&y=2 [sic] {x} ~5 ^2 `q` |p| \\n #1 100% 50-50",
    "東京。 これは，テスト です 3.14. 한국어, 문장.",
    "no\u00a0break\u2003em\u3000wide\u200bzero .. ,, .,., 1. .1 1.1.1 1-a a-1 --",
    "İSTANBUL ΟΔΟΣ ǅ ẞ ﬁ",
    "",
]


def bent(line, rng):
    words = line.split(" ")
    for _ in range(rng.randrange(0, 5)):
        at = rng.randrange(len(words))
        kind = rng.randrange(5)
        if kind == 0 and len(words) > 1:
            del words[at]
        elif kind == 1:
            words.insert(at, rng.choice(words))
        elif kind == 2:
            words[at] = words[at].upper()
        elif kind == 3:
            other = rng.randrange(len(words))
            words[at], words[other] = words[other], words[at]
        else:
            words[at] += rng.choice([",", ".", "-", "!", "'s"])
    return " ".join(words)


def expected(predicted, reference, lines, lowercase, tokens):
    metric = BLEU(lowercase=lowercase, tokenize="none" if tokens else "13a",
                  smooth_method="none" if tokens else "exp", force=True)
    score = metric.corpus_score(predicted[:lines], [reference[:lines]])
    return {"lines": lines, "lowercase": lowercase, "tokens": tokens, "bleu": score.score, "precisions": score.precisions,
            "brevity_penalty": score.bp, "predicted_words": score.sys_len, "reference_words": score.ref_len}


def main():
    rng = random.Random(7)
    text = pathlib.Path(sys.argv[1]).read_text(encoding="utf-8")
    lines = [line.strip() for line in text.splitlines() if len(line.strip()) > 40]
    reference = rng.sample(lines, 93)
    for number, line in enumerate(ODD):
        reference.insert(7 * number + 3, line)
    predicted = [bent(line, rng) for line in reference]
    predicted[0] = "Nothing of this is right at all ."
    FOLDER.mkdir(parents=True, exist_ok=True)
    tokenizer = Tokenizer13a()
    for name, all_lines in {"reference": reference, "predicted": predicted,
                            "words": [tokenizer(line.rstrip()) for line in predicted]}.items():
        (FOLDER / f"{name}.txt").write_text("".join(line + "\n" for line in all_lines), encoding="utf-8", newline="\n")
    scores = [expected(predicted, reference, count, lowercase, tokens)
              for count in (1, 2, 4, 9, 30, 100) for lowercase in (False, True) for tokens in (False, True)]
    said = {"sacrebleu": sacrebleu.__version__, "scores": scores}
    (FOLDER / "expected.json").write_text(json.dumps(said, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


main()
