// A table of any kind, or claims, as text in boxes, equal for every format for people.
#pragma once

#include <compare>
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
      part{};  // "1 of 3 seeds", "2 seeds, 1 diverged": what limits the number, if footnotes are left out
};

struct SheetHeader {
  std::string group;  // column: "WikiText-2 ↓"
  std::string text;   // "ours", "paper", ...
};

/// A sentence below a table.
struct SheetNote {
  std::string text;    // "NOT COMPLETE: 3 of 9 cells wait for trials"
  std::string hint{};  // what a reader can type, with its separator: "; run them with: rethink ..."

  std::string whole() const { return text + hint; }
  auto operator<=>(const SheetNote&) const = default;
};

/// Returns each note with its hint.
std::vector<std::string> whole(const std::vector<SheetNote>& notes);

struct Sheet {
  std::string name, title;
  std::vector<SheetNote> notes;
  std::vector<SheetHeader> headers;  // of the boxes, without the row's label
  std::vector<std::string> labels;   // of the rows
  std::vector<std::vector<SheetBox>> rows;
  std::vector<std::pair<std::string, std::string>> footnotes;  // letter, text
};

/// Returns the same sheet with every text on one line, since labels and sentences of people's files
/// may contain tabs and line ends.
Sheet in_lines(Sheet sheet);

}  // namespace rethink
