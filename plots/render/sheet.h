// A table of any kind, or claims, as text in boxes: the same for every format that people
// read.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "plots/claim/claim.h"
#include "plots/table/table.h"

namespace rethink {

struct SheetBox {
  std::string text;       // "54.22 ± 0.13*"; empty: nothing to say
  std::string footnotes;  // letters: "a,b"
  bool best = false;
  bool marked = false;  // a word in place of a number
};

struct SheetHeader {
  std::string group;  // the column: "WikiText-2 ↓"
  std::string text;   // "ours", "paper", ...
};

struct Sheet {
  std::string name, title;
  std::vector<std::string> notes;
  std::vector<SheetHeader> headers;  // of the boxes, without the row's label
  std::vector<std::string> labels;   // of the rows
  std::vector<std::vector<SheetBox>> rows;
  std::vector<std::pair<std::string, std::string>> footnotes;  // letter, text
};

/// Boxes that no row fills are left out: a table without paper has no column for it. Every text is
/// one line.
Sheet make_sheet(const Table& table);
Sheet make_sheet(const std::vector<ClaimResult>& claims);
/// The same as a paper prints a table: no letters of footnotes, and, where the paper whose table it is gives no numbers,
/// no word that tells ours from its numbers. A column of one box then has its name alone.
Sheet bare_sheet(Sheet sheet);
/// The same with every text on one line: labels and sentences of people's files may have tabs and lines of their own.
Sheet in_lines(Sheet sheet);

/// "18 hold, 1 fails, 41 undecided (9 wait for trials)".
std::string verdicts_text(const std::vector<ClaimResult>& claims);
/// The same of each file of claims: "bet: 2 hold, ...; sparsebert: 18 hold, ...".
std::string verdicts_by_file(const std::vector<ClaimResult>& claims);

/// "a" and "b" side by side as long as a column's group lasts: group, first box, number of boxes.
struct HeaderGroup {
  std::string text;
  size_t first = 0, count = 0;
};
std::vector<HeaderGroup> header_groups(const Sheet& sheet);

}  // namespace rethink
