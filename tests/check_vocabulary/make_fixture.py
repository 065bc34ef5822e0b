"""Writes tests/fixtures/vocabularies/hf.json: random vocabularies in common forms, and how HF tokenizers reads them.

    python -m pip install tokenizers==0.23.3
    python tests/check_vocabulary/make_fixture.py [COUNT] [FILE]   # RETHINK_VOCABULARIES=FILE lets the test read another

A case: the text of a vocab.txt, whether case is kept, the id of each piece, and the ids of each text without [CLS] and
[SEP]. A line may have white space of every kind, nothing, the piece of another line, or control characters; some
vocabularies have no [MASK]. The unit test covers a byte order mark at the beginning, which HF makes a part of the first
piece.
"""
import json
import pathlib
import random
import sys
import tempfile

from tokenizers import BertWordPieceTokenizer

FILE = pathlib.Path(__file__).parent.parent / "fixtures/vocabularies/hf.json"
SPACES = [" ", "\t", "\v", "\f", "\r", "\x85", "\xa0", "\u1680", "\u2003", "\u2028", "\u2029", "\u202f", "\u205f", "\u3000"]
OTHERS = ["", "\0", "\x01", "\x1c", "\x7f", "\u200b", "\ufeff", "\ufffd"]
LETTERS = ["a", "b", "ab", "A", "Ab", "\xe9", "e\u0301", "e", "\u0130", "\u4f60", "\u597d", "\ud55c", "\U0001f600", "\u0416",
           "abcdefghijklmnop", "abcdefghijklmnopq", "7", ".", "#", "##", "###", "[", "]", "mask", "[unused1]", "[MASK"]
SPECIALS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]"]


def random_piece(choices):
    piece = choices.choice(LETTERS)
    if choices.random() < 0.4:
        piece = "##" + piece
    kind = choices.random()
    if kind < 0.1:
        return choices.choice(["", "##"]) + choices.choice(SPACES + OTHERS)
    if kind < 0.2:
        return piece + choices.choice(SPACES + OTHERS)
    if kind < 0.25:
        return choices.choice(SPACES + OTHERS[:-2]) + piece
    if kind < 0.3:
        return piece + choices.choice(SPACES + OTHERS) + choices.choice(LETTERS)
    return piece


def random_vocabulary(choices):
    lines = SPECIALS + (["[MASK]"] if choices.random() < 0.7 else [])
    lines += [random_piece(choices) for _ in range(choices.randrange(1, 30))]
    lines += [choices.choice(lines) for _ in range(choices.randrange(4))]
    if choices.random() < 0.5:
        choices.shuffle(lines)
    ends = choices.choice([["\n"], ["\r\n"], ["\n", "\r\n"], ["\n", "\r\r\n"]])
    text = "".join(line + choices.choice(ends) for line in lines)
    if choices.random() < 0.3:
        text = text.rstrip("\n")
    return text.lstrip("\ufeff") + choices.choice(["", "", "\n", "\n\n", "\r\n"])


def random_text(choices):
    parts = LETTERS + SPACES + OTHERS + [" ", "\n", "[MASK]", "[SEP]", "[mask]", "Ba", "aab", "x"]
    return "".join(choices.choice(parts) for _ in range(choices.randrange(1, 12)))


def case(choices, folder):
    text, cased = random_vocabulary(choices), choices.random() < 0.5
    file = pathlib.Path(folder) / "vocab.txt"
    file.write_bytes(text.encode())
    tokenizer = BertWordPieceTokenizer(str(file), lowercase=not cased)
    texts = [random_text(choices) for _ in range(6)]
    ids = [tokenizer.encode(one, add_special_tokens=False).ids for one in texts]
    return {"vocabulary": text, "cased": cased, "pieces": tokenizer.get_vocab(), "texts": texts, "ids": ids}


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    file = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else FILE
    choices = random.Random(20)
    with tempfile.TemporaryDirectory() as folder:
        cases = [case(choices, folder) for _ in range(count)]
    file.parent.mkdir(parents=True, exist_ok=True)
    lines = ",\n".join(json.dumps(one, sort_keys=True) for one in cases)
    file.write_text(f"[\n{lines}\n]\n", newline="\n")


main()
