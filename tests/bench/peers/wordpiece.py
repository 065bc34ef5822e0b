"""Measures the speed of HF tokenizers' WordPiece [MB of text per second of processor time]: the peer of wordpiece_bench.

Set-up: python3 -m venv VENV && VENV/bin/pip install tokenizers==0.23.3
Run:    VENV/bin/python tests/bench/peers/wordpiece.py VOCAB TEXT [ROUNDS [cased]]

HF runs in its fastest way: all lines in one call, without positions (encode_batch_fast). Prints one line of JSON; the first
round does not count.
"""
import json
import os
import pathlib
import statistics
import sys
import time

os.environ["TOKENIZERS_PARALLELISM"] = "false"
os.environ["RAYON_NUM_THREADS"] = "1"

import tokenizers
from tokenizers.normalizers import BertNormalizer
from tokenizers.pre_tokenizers import BertPreTokenizer


def main():
    vocab, file = sys.argv[1:3]
    rounds = int(sys.argv[3]) if len(sys.argv) > 3 else 9
    model = tokenizers.models.WordPiece.from_file(vocab, unk_token="[UNK]", max_input_chars_per_word=100)
    tokenizer = tokenizers.Tokenizer(model)
    tokenizer.add_special_tokens(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"])
    tokenizer.normalizer = BertNormalizer(lowercase=len(sys.argv) < 5)
    tokenizer.pre_tokenizer = BertPreTokenizer()
    text = pathlib.Path(file).read_bytes()
    lines = text.decode("utf-8", "replace").removesuffix("\n").split("\n")
    speeds = []
    for round in range(rounds + 1):
        begun = time.process_time()
        encodings = tokenizer.encode_batch_fast(lines, add_special_tokens=False)
        took = time.process_time() - begun
        ids = sum(map(len, encodings))
        del encodings
        if round:
            speeds.append(len(text) / 1e6 / took)
    print(json.dumps({"program": "tokenizers " + tokenizers.__version__, "median_mb_s": statistics.median(speeds),
                      "slowest": min(speeds), "fastest": max(speeds), "ids": ids}))


if __name__ == "__main__":
    main()
