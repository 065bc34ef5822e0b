// A table as text in boxes, the same for every format that people read: which boxes there are, what
// stands in them, which footnote goes where.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "plots/claim/claim.h"
#include "plots/table/table.h"
#include "plots/table/word_table.h"

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
/// Sentences, their targets in brackets; words of the first seed that has some, with their weights.
Sheet make_sheet(const WordTable& table);

/// "18 hold, 1 fails, 41 undecided (9 wait for trials)".
std::string verdicts_text(const std::vector<ClaimResult>& claims);
/// The same of each file of claims: "bet: 2 hold, ...; sparsebert: 18 hold, ...".
std::string verdicts_by_file(const std::vector<ClaimResult>& claims);

/// `sheet` with every text of it in one line.
Sheet in_lines(Sheet sheet);

/// What a mark says: its kind, unless the clause says it already, and the clause.
std::string footnote_text(const Mark& mark);

/// `value` with so many decimals, beyond a trillion as "1.6e+92"; "-0.00" is "0.00". With `sign`:
/// "+0.31".
std::string fixed(double value, int64_t decimals, bool sign = false);

/// Words of `text` in lines of at most `most` columns of a terminal; a longer word has a line of its own.
std::vector<std::string> wrapped(const std::string& text, size_t most);
/// Likewise where `measure` says how long a line is.
std::vector<std::string> wrapped(const std::string& text, double most,
                                 double (*measure)(const std::string&));

}  // namespace rethink
