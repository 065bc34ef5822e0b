// A table of any kind, or claims, as text in boxes, equal for every format for people.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace rethink {

struct SheetBox {
  std::string text;       // "54.22 ± 0.13*"; empty: nothing
  std::string footnotes;  // letters: "a,b"
  bool best = false;
  bool marked = false;  // a word instead of a number
  std::string
      part{};  // "1 of 3 seeds" behind the number so far; only in the footnote if there is one
};

struct SheetHeader {
  std::string group;  // column: "WikiText-2 ↓"
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

/// Returns the same sheet with every text on one line, since labels and sentences of people's files
/// may contain tabs and line ends.
Sheet in_lines(Sheet sheet);

}  // namespace rethink
