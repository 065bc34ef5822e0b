#!/usr/bin/env python3
"""Checks that what documents, comments and messages name exists, and that documents use no banned phrase. Prints each
fault as FILE:LINE: TEXT.

- A link in a Markdown file leads to a file or folder of the repository, and its #section to a heading.
- A path of the repository that a document or a comment names exists: core/error.h. A word in capitals stands for a
  name (models/attention/NAME.cpp). Files that CONTRIBUTING.md contains exist when the build has written them.
- A page of docs exists wherever a file names it, and so does its section: docs/figures.md, "A figure".
- A table, figure or sweep of a paper that a document names in a command exists: `rethink table bet/table1`.
- docs/papers.md has every shipped table, figure and claim of the papers, its claims and plug-ins exist, and each row
  says what runs the item or why nothing does.
- A Markdown file has no phrase of the table in CONTRIBUTING.md, "Banned phrases", outside code and quotation marks.
- A line of a Markdown file has at most 120 columns outside tables, code and GitHub's templates, where a line is a
  paragraph.
- A sentence has at most 30 words outside tables and code. A colon and a semicolon end a sentence, too, and code counts
  as a word.

Usage: cmake/check_docs.py, in the repository's root; git lists the files.
"""

import bisect
import collections
import fnmatch
import os
import re
import subprocess
import sys

COMMENT = {".cpp": "//", ".h": "//", ".cu": "//", ".cuh": "//", ".cmake": "#", ".sh": "#", ".py": "#", ".yaml": "#",
           ".yml": "#", ".story": "#", ".txt": "#", "": "#"}
NOT_READ = r"docs/records/|tests/(fixtures|golden)/"
PAGE = r"(?:docs/[\w/]+\.md|(?:README|CONTRIBUTING|CHANGELOG|SECURITY)\.md)"
FENCE, CODE, QUOTED = r"^ *```.*?^ *```", r"`[^`\n]*`", r"\"[^\"\n]*(?:\n[^\"\n]+)?\""

faults = []


class File:
    def __init__(self, name, text):
        self.name, self.text = name, text
        self.line_ends = [end.start() for end in re.finditer("\n", text)]

    def without(self, expression):
        """The file with blanks in place of all matches, so that offsets do not change."""
        blanked = re.sub(expression, lambda found: re.sub(r"[^\n]", " ", found[0]), self.text, flags=re.M | re.S)
        return File(self.name, blanked)

    def fault(self, offset, text):
        faults.append((self.name, bisect.bisect_left(self.line_ends, offset) + 1, text))


def read(name):
    try:
        with open(name, encoding="utf-8") as file:
            return file.read()
    except UnicodeDecodeError:
        return ""


def headings_of(page):
    return [heading.strip() for heading in re.findall(r"^#+ +(.*)$", page.without(FENCE).text, re.M)]


def sections_of(page):
    """Names of sections as GitHub makes them from headings; a repeated one ends with -1, -2, ..."""
    repeats = collections.Counter()
    sections = []
    for heading in headings_of(page):
        name = re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
        sections.append(f"{name}-{repeats[name]}" if repeats[name] else name)
        repeats[name] += 1
    return sections


def check_links(page, pages, paths):
    for link in re.finditer(r"\]\(([^)\s]+)\)", page.without(FENCE + "|" + CODE).text):
        target, _, section = link[1].partition("#")
        if re.match(r"[a-z]+:", target):
            continue
        path = os.path.normpath(os.path.join(os.path.dirname(page.name), target)) if target else page.name
        if path not in paths:
            page.fault(link.start(), f"no file {path}")
        elif section and (path not in pages or section not in sections_of(pages[path])):
            page.fault(link.start(), f"{path} has no section #{section}")


def prose_of(file):
    """A document without its blocks of code, or the comments of a source."""
    if file.name.endswith(".md"):
        return file.without(FENCE)
    sign = COMMENT.get(os.path.splitext(file.name)[1])
    return file.without(rf"^(?:(?!(?:(?<=\s)|^){sign}).)*?(?={sign}|$)") if sign else File(file.name, "")


def check_paths(file, paths, folders, built):
    prose = prose_of(file)
    for found in re.finditer(rf"(?<![\w./<$:{{}}-])(?:{'|'.join(folders)})/[\w./*-]*\.\w+", prose.text):
        path = found[0]
        has_placeholder = re.search(r"(?:^|[/_.-])[A-Z][A-Z-]*(?=[/_.-]|$)", path)
        is_known = path in paths or path in built or fnmatch.filter(paths, path)
        if not is_known and not has_placeholder and not re.fullmatch(PAGE, path):
            file.fault(found.start(), f"no file {path}")


def check_pages(file, pages):
    for named in re.finditer(rf"(?<![\w/.-])({PAGE})(?:, (?:\"([^\"]+)\"|([A-Z][\w ]+)\))|#([\w-]+))?", file.text):
        page, quoted, plain, anchor = named.groups()
        title = re.sub(r"\s*\n\s*(?:///?|#)?\s*", " ", quoted or plain or "")
        if page not in pages:
            file.fault(named.start(), f"no page {page}")
        elif title and title not in headings_of(pages[page]):
            file.fault(named.start(), f"{page} has no section '{title}'")
        elif anchor and anchor not in sections_of(pages[page]):
            file.fault(named.start(), f"{page} has no section #{anchor}")


def shipped(kind, paths):
    """Names of the tables, figures, claims and sweeps in experiments/ or plots/."""
    folder = f"{'experiments' if kind == 'sweeps' else 'plots'}/{kind}/"
    return {path[len(folder):-len(".yaml")] for path in paths if path.startswith(folder) and path.endswith(".yaml")}


def check_commands(page, paths):
    """Commands in code, with or without `rethink` before them, on names in the folders of papers."""
    known = {kind: shipped(kind, paths) for kind in ("tables", "figures", "sweeps")}
    papers = {name.split("/")[0] for names in known.values() for name in names}
    may_be = {"table": ("tables", "sweeps"), "why": ("tables", "sweeps"), "figure": ("figures", "sweeps"),
              "run": ("sweeps",), "plan": ("sweeps",)}
    for found in re.finditer(rf"(?:`|rethink )({'|'.join(may_be)}) ((?:{'|'.join(papers)})/\w+)", page.text):
        if not any(found[2] in known[kind] for kind in may_be[found[1]]):
            page.fault(found.start(), f"no {' or '.join(may_be[found[1]])} {found[2]}")


def check_papers(page, paths):
    for kind, word in (("tables", "table"), ("figures", "figure")):
        for name in sorted(shipped(kind, paths)):
            if not name.startswith("demo/") and f"`{word} {name}`" not in page.text:
                page.fault(0, f"lacks `{word} {name}`")
    for file in sorted(shipped("claims", paths)):
        known = set(re.findall(r"claim: (\w+)", read(f"plots/claims/{file}.yaml")))
        named = {}
        for found in re.finditer(rf"`claims {file}`([\w ,]*)", page.text):
            named |= dict.fromkeys(re.findall(r"\w+", found[1]), found.start())
        for claim in sorted(named.keys() - known):
            page.fault(named[claim], f"plots/claims/{file}.yaml has no claim {claim}")
        for claim in sorted(known - named.keys()):
            page.fault(0, f"lacks the claim {claim} of plots/claims/{file}.yaml")
    sources = {"attention": "models/attention/{}.cpp", "mask": "models/masks/{}.cpp", "dataset": "datasets/*/{}.cpp",
               "model": "experiments/presets/model/{}.yaml", "preset": "experiments/presets/{}.yaml"}
    for found in re.finditer(r"`describe (\w+)/([\w/]+)`", page.text):
        source = sources.get(found[1], "").format(found[2])
        if not fnmatch.filter(paths, source):
            page.fault(found.start(), f"no {found[1]} {found[2]}")
    for row in re.finditer(r"^\| ([^|]+) \| ([^|]+) \|(?: ([^|]+) \|)?$", page.text, re.M):
        if row[2] == "none" and row[3] in (None, "none"):
            page.fault(row.start(), f"'{row[1]}' neither runs nor has a reason")


def banned_phrases(guide):
    """A regular expression of the phrases in the first column of the guide's table."""
    section = guide.text.partition("\n### Banned phrases\n")[2].partition("\n#")[0]
    cells = re.findall(r"^\| (`[^|]*)\|", section, re.M)
    phrases = [phrase for cell in cells for phrase in re.findall(r"`([^`]+)`", cell)]
    if not phrases:
        sys.exit("CONTRIBUTING.md: expected a table of phrases in the section 'Banned phrases'")
    return r"\b(?:{})\b".format("|".join(r"\s+".join(phrase.split()) for phrase in phrases))


def check_phrases(page, banned):
    text = page.without("|".join([FENCE, CODE, QUOTED]))
    for found in re.finditer(banned, text.text, re.I):
        phrase = " ".join(found[0].split())
        page.fault(found.start(), f"banned phrase '{phrase}': CONTRIBUTING.md says what to write")


def check_widths(page):
    for line in re.finditer(r"^(?!\||    ).{121,}$", page.without(FENCE).text, re.M):
        page.fault(line.start(), f"a line of {len(line[0])} columns; expected at most 120 outside tables and code")


def check_sentences(page):
    text = page.without(FENCE + r"|^\|.*?$").text
    begin = 0
    for end in re.finditer(r"[.?!:;][)\"*]*\s|\n\s*\n|\n(?= *[-*#] | *\d+\. )|\Z", text):
        sentence = text[begin:end.end()]
        words = re.sub(r"`[^`]*`", "code", re.sub(r"\]\([^)]*\)", "]", sentence)).split()
        count = sum(bool(re.search(r"\w", word)) for word in words)
        if count > 30:
            page.fault(begin + len(sentence) - len(sentence.lstrip()), f"a sentence of {count} words; expected at most 30")
        begin = end.end()


def main():
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split("\0")
    paths = {name for name in listed if os.path.isfile(name)}
    files = [File(name, read(name)) for name in sorted(paths) if not re.match(NOT_READ, name)]
    while above := {os.path.dirname(path) for path in paths} - paths - {""}:
        paths |= above
    folders = [re.escape(path) for path in sorted(paths) if "/" not in path and os.path.isdir(path)]
    pages = {file.name: file for file in files if file.name.endswith(".md")}
    built = set(re.findall(r"`([\w./-]+)`[^`]*:\n\n```", pages["CONTRIBUTING.md"].text))
    banned = banned_phrases(pages["CONTRIBUTING.md"])
    check_papers(pages["docs/papers.md"], paths)
    for page in pages.values():
        check_links(page, pages, paths)
        check_commands(page, paths)
        check_phrases(page, banned)
        if not page.name.startswith(".github/"):
            check_widths(page)
            check_sentences(page)
    for file in files:
        check_paths(file, paths, folders, built)
        check_pages(file, pages)
    for name, line, text in sorted(faults):
        print(f"{name}:{line}: {text}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
