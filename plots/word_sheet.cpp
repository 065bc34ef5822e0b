#include <fmt/format.h>

#include <algorithm>

#include "core/error.h"
#include "plots/render/sheet.h"

namespace rethink {
namespace {

constexpr const char* kNoBreak = "\u00a0";  // a word and its weight stay in one line

/// With a mark where the model's vocabulary has not the word, which a note explains.
std::string shown(const AttendedWord& token, const std::string& name) {
  return token.known ? name : name + "*";
}

/// Less the symbol that sequences start with.
std::string sentence_text(const WordRow& row) {
  std::string text;
  for (const AttendedWord& token : row.tokens) {
    if (is_start(token)) continue;
    const std::string word = shown(token, token.word);
    text += (text.empty() ? "" : " ") + (token.place == row.target ? "[" + word + "]" : word);
  }
  return text;
}

SheetBox attended_words_box(const WordCell& cell) {
  SheetBox box;
  if (cell.by_seed.empty()) {
    box.text = cell.lack;
    box.marked = true;
    return box;
  }
  for (const AttendedWord& word : cell.by_seed.begin()->second) {
    box.text += fmt::format("{}{}{}{}", box.text.empty() ? "" : ", ", shown(word, name_of(word)),
                            kNoBreak, fixed(word.weight, 2));
  }
  return box;
}

}  // namespace

bool is_start(const AttendedWord& token) {
  return token.place == 0 && token.word == "<start>";
}

std::string name_of(const AttendedWord& word) {
  if (word.word == ",") return "[comma]";
  return word.word == "." ? "[period]" : word.word;
}

Sheet make_sheet(const WordTable& table) {
  Sheet sheet;
  sheet.name = table.name;
  sheet.title = table.title;
  sheet.notes = table.notes;
  sheet.headers = {{"", "sentence"}};
  for (const WordRow& row : table.rows) {
    sheet.labels.push_back(row.label);
    sheet.rows.emplace_back(1).front().text = row.is_first ? sentence_text(row) : "";
  }
  for (size_t column = 0; column < table.columns.size(); ++column) {
    const bool has_paper = std::ranges::any_of(
        table.cells, [&](const auto& row) { return !row[column].paper.empty(); });
    sheet.headers.push_back({"", table.columns[column]});
    if (has_paper) sheet.headers.push_back({"", table.columns[column] + ", paper"});
    for (size_t row = 0; row < table.rows.size(); ++row) {
      const WordCell& cell = table.cells[row][column];
      sheet.rows[row].push_back(attended_words_box(cell));
      if (has_paper) sheet.rows[row].emplace_back().text = joined(cell.paper);
    }
  }
  return in_lines(std::move(sheet));
}

}  // namespace rethink
