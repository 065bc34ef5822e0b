#!/usr/bin/env python3
"""Compares the words of all errors and notes with tests/golden/messages.txt, which reviewers read from top to bottom.

The file has a part for each source, and in it a line for each place that makes an error or a note: its code, and its
words with {} for values and [a|b] for alternatives. A text from elsewhere in the source follows below its code.
The script fails if the words of the sources differ from the file, or if a message has a code of the table in
docs/messages.md, "Removed codes": such a code is not used for another message. RETHINK_UPDATE_GOLDEN=1 writes the file.
The compiler checks that each message has a code of the right form (core/error.h, core/config/note.h).

Usage: cmake/messages.py, in any folder.
"""

import collections
import difflib
import os
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
GOLDEN = ROOT / "tests/golden/messages.txt"
ROOMS = ["core", "datasets", "kernels", "models", "experiments", "results", "plots", "app"]
OPEN, CLOSE = "([{", ")]}"
LITERAL = re.compile(r'R"(\w*)\((.*?)\)\1"|"((?:[^"\\]|\\.)*)"', re.S)
ESCAPES = {r"\n": " ", r"\"": '"', r"\\": "\\", r"\t": " "}
DEEPEST = 2  # depth of texts that are made of other texts
NEAR = 2500  # distance from a variable to the expression with it


class Source:
    """A source whose comments are blanks; `mask` has ~ for each character of a literal as well."""

    def __init__(self, name, text):
        self.name = name
        code, mask = list(text), list(text)
        token = re.compile(r"//[^\n]*|/\*.*?\*/|(?<![\w])'(?:[^'\\]|\\.)+'|(?:u8|u|U|L)?" + LITERAL.pattern, re.S)
        for found in token.finditer(text):
            is_comment = found[0].startswith("/")
            for i in range(*found.span()):
                if is_comment and text[i] != "\n":
                    code[i] = " "
                mask[i] = code[i] if is_comment else "~"
        self.text, self.mask = "".join(code), "".join(mask)

    def line(self, at):
        return self.text.count("\n", 0, at) + 1

    def end_of(self, begin):
        """The bracket that closes the one at `begin`."""
        depth = 0
        for i in range(begin, len(self.mask)):
            depth += (self.mask[i] in OPEN) - (self.mask[i] in CLOSE)
            if depth == 0:
                return i
        return len(self.mask) - 1

    def split(self, begin, end, signs):
        """The parts between `signs` outside of brackets, as (begin, end)."""
        parts, depth, start = [], 0, begin
        for i in range(begin, end):
            depth += (self.mask[i] in OPEN) - (self.mask[i] in CLOSE)
            if depth == 0 and self.mask[i] in signs and self.mask[i - 1:i + 1] != "::" and self.mask[i:i + 2] != "::":
                parts.append((start, i))
                start = i + 1
        return parts + [(start, end)]

    def words(self, begin, end, depth=0):
        """The text that an expression makes: literals as they are, {} for all else."""
        while begin < end and self.text[begin].isspace():
            begin += 1
        while end > begin and self.text[end - 1].isspace():
            end -= 1
        choice = self.split(begin, end, "?")
        if len(choice) > 1:
            branches = self.split(choice[1][0], end, ":")
            texts = [self.words(*branches[0], depth), self.words(branches[0][1] + 1, end, depth)]
            return "[" + "|".join(text for text in texts if text) + "]"
        sums = self.split(begin, end, "+")
        if len(sums) > 1:
            return "".join(self.words(*part, depth) for part in sums)
        expression = self.text[begin:end]
        if self.mask[begin:end].replace("~", "").strip() == "" and '"' in expression:
            return "".join(literal_text(found) for found in LITERAL.finditer(expression))
        call = re.match(r"(?:fmt::format|std::string|std::runtime_error)\s*\(", expression)
        if call and self.end_of(begin + call.end() - 1) == end - 1:
            arguments = self.split(begin + call.end(), end - 1, ",")
            text = self.words(*arguments[0], depth)
            values = iter([self.words(*argument, depth) for argument in arguments[1:]])
            is_format = expression.startswith("fmt")
            return filled(text, list(values)) if is_format else text
        if re.match(r"\[[^\]]*\](?:\s*\([^)]*\))?\s*(?:mutable\s*)?\{", expression):  # a text that is made only on demand
            returned = re.compile(r"\breturn\b").finditer(self.mask, begin, end)
            return "|".join(self.words(found.end(), self.mask.index(";", found.end()), depth) for found in returned)
        return "{}"


class Texts:
    """The functions of all sources that return a text."""

    def __init__(self, files):
        self.functions = collections.defaultdict(list)
        begin = re.compile(r"(?:std::string|const char\s*\*|std::string_view)\s+(?:\w+::)?(\w+)\(")
        for file in files:
            for found in begin.finditer(file.mask):
                bracket = file.end_of(found.end() - 1)
                body = re.compile(r"\)\s*(?:const\s*)?(?=\{)").match(file.mask, bracket)
                if body:
                    self.functions[found[1]].append((file, body.end()))

    def named_in(self, file, begin, end, depth=0):
        """The texts of the variables and functions that an expression names."""
        texts = []
        named = dict.fromkeys(re.findall(r"(?<![.>\w])([a-zA-Z_]\w*)(\()?", file.mask[begin:end]))
        for name, is_call in named:
            for place in re.compile(r"\b%s(?: =| \+=)" % name).finditer(file.mask):
                # A variable of the function before the expression, or a constant of the source.
                if name.startswith("k") or 0 < begin - place.start() < NEAR:
                    texts += self.made_by(file, place.end(), depth)
            functions = self.functions[name] if is_call else []
            here = [(other, body) for other, body in functions if other is file]
            for other, body in here or (functions if len(functions) == 1 else []):
                for found in re.compile(r"\breturn\b").finditer(other.mask, body, other.end_of(body)):
                    texts += self.made_by(other, found.end(), depth)
        return list(dict.fromkeys(texts))

    def made_by(self, file, begin, depth):
        """The text of an expression, or the texts of what it names if it has no words of its own."""
        end = file.mask.index(";", begin)
        text = file.words(begin, end)
        if has_words(text):
            return [text]
        return self.named_in(file, begin, end, depth + 1) if depth < DEEPEST else []


def literal_text(found):
    text = found[2] if found[2] is not None else found[3]
    if found[2] is None:
        text = re.sub(r"\\[n\"\\t]", lambda escape: ESCAPES[escape[0]], text)
    return re.sub(r"\s+", " ", text)


def filled(text, values):
    """A format string with the words of its values in their places; {} where a value has no words."""
    at = iter(range(len(values)))

    def value(found):
        if found[0] in ("{{", "}}"):
            return found[0][0]
        number = found[1] if found[1] else next(at, None)
        known = number is not None and int(number) < len(values)
        return values[int(number)] if known and has_words(values[int(number)]) else "{}"

    return re.sub(r"\{\{|\}\}|\{(\d*)(?::[^{}]*)?\}", value, text)


def has_words(text):
    return re.search(r"[a-z]{2}", re.sub(r"\{\}", "", text)) is not None


def sources():
    for room in ROOMS:
        for path in sorted((ROOT / room).rglob("*")):
            if path.suffix in (".h", ".cpp"):
                yield Source(str(path.relative_to(ROOT)), path.read_text(encoding="utf-8"))


def error_classes(files):
    """Error and all that derive from it."""
    bases = {}
    for file in files:
        for found in re.finditer(r"\b(?:struct|class) (\w+)(?: final)? : (?:public )?([\w:]+)", file.mask):
            bases[found[1]] = found[2]
    names = {"Error"}
    while True:
        more = {name for name, base in bases.items() if base in names} - names
        if not more:
            return names
        names |= more


def functions_with_code(files):
    """The functions with a parameter of the type MessageCode, each with the positions that this parameter has."""
    positions = collections.defaultdict(set)
    for file in files:
        for found in re.finditer(r"\bMessageCode \w+(?=[,)])", file.mask):
            opened = [i for i in range(max(0, found.start() - 400), found.start()) if file.mask[i] == "("]
            begin = next((i for i in reversed(opened) if file.end_of(i) > found.start()), None)
            name = begin and re.search(r"(\w+)$", file.mask[:begin])
            if name:
                positions[name[1]].add(len(file.split(begin + 1, found.start(), ",")) - 1)
    return positions


def messages_of(file, errors, functions, texts):
    """(code, its words, words from elsewhere) of each place that makes a message; "note CODE" for a note."""
    for found in re.finditer(r"\b(\w+)\s*([({])", file.mask):
        if found[1] in errors:
            is_thrown = re.search(r"\bthrow\s+(?:rethink::)?$", file.mask[:found.start()])
            positions = {0} if is_thrown else set()
        elif found[1] in ("add", "refuse"):  # of Problems; other classes have functions with these names
            is_of_problems = re.search(r"[pP]roblems\w*(?:\(\))?(?:\.|->)$", file.mask[:found.start()])
            positions = {1} if is_of_problems else set()
        else:
            positions = functions.get(found[1], set())
        if not positions:
            continue
        arguments = file.split(found.end(), file.end_of(found.end() - 1), ",")
        for i in positions:
            code = i + 1 < len(arguments) and re.fullmatch(r'\s*"([a-z0-9-]+)"\s*', file.text[slice(*arguments[i])])
            if not code:
                continue
            words = [file.words(*argument) for argument in arguments[i + 1:]]
            said = next((text for text in words if has_words(text)), words[0])
            elsewhere = [] if has_words(said) else texts.named_in(file, arguments[i + 1][0], arguments[-1][1])
            yield "note " + code[1] if found[1] == "Note" else code[1], said, elsewhere


def removed_codes():
    page = (ROOT / "docs/messages.md").read_text(encoding="utf-8")
    part = page.split("## Removed codes", 1)[1].split("\n## ", 1)[0]
    return set(re.findall(r"^\| `([a-z0-9-]+)` \|", part, re.M))


def main():
    files = list(sources())
    errors, functions, texts = error_classes(files), functions_with_code(files), Texts(files)
    now, used = [], set()
    for file in files:
        messages = list(messages_of(file, errors, functions, texts))
        now += ["", file.name] if messages and now else [file.name] if messages else []
        for code, said, elsewhere in messages:
            used.add(code.removeprefix("note "))
            now += [f"  {code}: {said}"] + ["    " + text for text in elsewhere]
    if os.environ.get("RETHINK_UPDATE_GOLDEN") == "1":
        GOLDEN.write_text("\n".join(now) + "\n", encoding="utf-8")
    kept = GOLDEN.read_text(encoding="utf-8").splitlines()
    faults = list(difflib.unified_diff(kept, now, "tests/golden/messages.txt", "the sources", lineterm="", n=1))
    if faults:
        faults.append("if these words are right, write the file: RETHINK_UPDATE_GOLDEN=1 cmake/messages.py")
    for code in sorted(used & removed_codes()):
        faults.append(f"docs/messages.md: '{code}' is a removed code, but a message has it; give the message another code")
    for fault in faults:
        print(fault, file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
