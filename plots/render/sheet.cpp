#include "plots/render/sheet.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "core/error.h"
#include "core/text.h"
#include "plots/columns.h"

namespace rethink {
namespace {

constexpr double kMostInFull = 1e12;
constexpr int64_t kMostDeltaDecimals = 12;  // of a difference

/// a, b, ..., z, aa, ab, ...
std::string letters(size_t index) {
  std::string text;
  for (size_t rest = index + 1; rest > 0; rest = (rest - 1) / 26) {
    text.insert(text.begin(), static_cast<char>('a' + (rest - 1) % 26));
  }
  return text;
}

class Footnotes {
 public:
  explicit Footnotes(Sheet& sheet) : sheet_(sheet) {}

  /// In the order of the footnotes. Too few seeds are said once, in the notes.
  std::string letters_of(const Cell& cell) {
    std::set<size_t> places;
    for (const Mark& mark : cell.marks) {
      if (mark.kind != MarkKind::few_seeds) places.insert(place_of(footnote_text(mark)));
    }
    std::vector<std::string> all;
    for (const size_t place : places) all.push_back(letters(place));
    return joined(all, ",");
  }

 private:
  size_t place_of(const std::string& text) {
    const auto [known, is_new] = known_.try_emplace(text, sheet_.footnotes.size());
    if (is_new) sheet_.footnotes.emplace_back(letters(known->second), text);
    return known->second;
  }

  Sheet& sheet_;
  std::map<std::string, size_t> known_;
};

SheetBox measured_box(const Cell& cell, const TableColumn& column, Footnotes& footnotes) {
  SheetBox box;
  if (cell.value) {
    box.text = fixed(*cell.value, column.decimals);
    if (cell.spread) box.text += " ± " + fixed(*cell.spread, column.decimals);
    for (size_t i = 0; i < cell.tests.size(); ++i) {
      if (cell.tests[i].significant) box.text += kTestMarks[i];
    }
    box.best = cell.best;
  } else {
    box.marked = true;
    box.text = cell.marks.empty() ? "missing" : to_text(cell.marks.front().kind);
    if (cell.has(MarkKind::published)) box.text = "not run";
    if (!cell.marks.empty() && cell.marks.front().kind == MarkKind::not_applicable) box.text = "–";
  }
  // A word needs no footnote that only repeats it.
  const bool said = !cell.value && cell.marks.size() == 1 && cell.marks.front().text == box.text;
  if (!said) box.footnotes = footnotes.letters_of(cell);
  return box;
}

SheetBox number_box(const std::optional<double>& value, int64_t decimals) {
  SheetBox box;
  if (value) box.text = fixed(*value, decimals, true);
  return box;
}

/// Of the difference to the baseline and its interval: with the mark of a test as many as they need to show a
/// digit that is not 0.
int64_t decimals_of_delta(const Cell& cell, const TableColumn& column) {
  if (!cell.is_significant()) return column.decimals;
  std::vector<double> shown = {cell.delta.value_or(0)};
  if (cell.delta_interval) {
    shown.push_back(cell.delta_interval->low);
    shown.push_back(cell.delta_interval->high);
  }
  int64_t decimals = column.decimals;
  const auto looks_zero = [&](double value) {
    return value != 0 && fixed(value, decimals).find_first_of("123456789") == std::string::npos;
  };
  while (decimals < kMostDeltaDecimals && std::ranges::any_of(shown, looks_zero)) ++decimals;
  return decimals;
}

std::vector<SheetBox> boxes_of(const Cell& cell, const TableColumn& column, Footnotes& footnotes) {
  SheetBox n, paper, interval;
  if (cell.value) n.text = fmt::format("{}", cell.samples.size());
  if (cell.paper) {
    paper.text = cell.paper->text;
    paper.best = cell.paper_best;
  }
  const int64_t decimals = decimals_of_delta(cell, column);
  if (cell.delta_interval) {
    interval.text = fmt::format("{} to {}", fixed(cell.delta_interval->low, decimals, true),
                                fixed(cell.delta_interval->high, decimals, true));
  }
  return {measured_box(cell, column, footnotes),
          n,
          paper,
          number_box(cell.difference, column.decimals),
          number_box(cell.delta, decimals),
          interval,
          number_box(cell.paper_delta, column.decimals)};
}

const std::vector<std::string> kBoxNames = {"ours",   "n",     "paper",  "ours - paper",
                                            "Δ ours", "Δ 95%", "Δ paper"};
constexpr size_t kSeedsBox = 1;

std::string column_title(const TableColumn& column) {
  if (column.direction.empty()) return column.label;
  return column.label + (column.direction == "min" ? " ↓" : " ↑");
}

/// n is said once, in the notes, when it is the same everywhere.
bool seeds_differ(const Table& table) {
  std::optional<size_t> first;
  for (const std::vector<Cell>& row : table.cells) {
    for (const Cell& cell : row) {
      if (!cell.value) continue;
      if (first && *first != cell.samples.size()) return true;
      first = cell.samples.size();
    }
  }
  return false;
}

/// Boxes of column `column` that some row fills.
std::vector<size_t> shown_boxes(const std::vector<std::vector<std::vector<SheetBox>>>& all,
                                size_t column, bool with_seeds) {
  std::vector<size_t> shown;
  for (size_t box = 0; box < kBoxNames.size(); ++box) {
    if (box == kSeedsBox && !with_seeds) continue;
    const bool filled = std::any_of(all.begin(), all.end(),
                                    [&](const auto& r) { return !r[column][box].text.empty(); });
    if (filled) shown.push_back(box);
  }
  return shown;
}

}  // namespace

/// Labels and sentences of people's files may have tabs and lines of their own.
Sheet in_lines(Sheet sheet) {
  for (std::string* text : {&sheet.name, &sheet.title}) *text = one_line(*text);
  for (std::string& note : sheet.notes) note = one_line(note);
  for (std::string& label : sheet.labels) label = one_line(label);
  for (SheetHeader& header : sheet.headers) header.group = one_line(header.group);
  for (auto& [letter, text] : sheet.footnotes) text = one_line(text);
  for (std::vector<SheetBox>& row : sheet.rows) {
    for (SheetBox& box : row) box.text = one_line(box.text);
  }
  return sheet;
}

std::string footnote_text(const Mark& mark) {
  const std::string kind = to_text(mark.kind);
  return mark.text.find(kind) == std::string::npos ? kind + ": " + mark.text : mark.text;
}

std::string fixed(double value, int64_t decimals, bool sign) {
  std::string text = std::abs(value) < kMostInFull ? fmt::format("{:.{}f}", value, decimals)
                                                   : fmt::format("{:.2g}", value);
  if (text.find_first_not_of("-0.") == std::string::npos && text[0] == '-') text.erase(0, 1);
  if (sign && text[0] != '-' && text.find_first_not_of("0.") != std::string::npos)
    text.insert(0, "+");
  return text;
}

std::vector<std::string> wrapped(const std::string& text, size_t most) {
  return wrapped(text, static_cast<double>(most),
                 [](const std::string& line) { return static_cast<double>(width_of(line)); });
}

std::vector<std::string> wrapped(const std::string& text, double most,
                                 double (*measure)(const std::string&)) {
  std::vector<std::string> lines(1);
  size_t at = 0;
  while (at < text.size()) {
    const size_t end = std::min(text.find(' ', at), text.size());
    const std::string word = text.substr(at, end - at);
    if (!lines.back().empty() && measure(lines.back() + " " + word) > most) lines.emplace_back();
    if (!lines.back().empty()) lines.back() += ' ';
    lines.back() += word;
    at = end + 1;
  }
  return lines;
}

Sheet make_sheet(const Table& table) {
  Sheet sheet;
  sheet.name = table.name;
  sheet.title = table.title;
  sheet.notes = table.notes;
  Footnotes footnotes(sheet);
  std::vector<std::vector<std::vector<SheetBox>>> all;  // [row][column][box]
  for (size_t row = 0; row < table.rows.size(); ++row) {
    sheet.labels.push_back(table.rows[row].label);
    std::vector<std::vector<SheetBox>>& boxes = all.emplace_back();
    for (size_t column = 0; column < table.columns.size(); ++column) {
      boxes.push_back(boxes_of(table.cells[row][column], table.columns[column], footnotes));
    }
  }
  sheet.rows.resize(all.size());
  const bool with_seeds = seeds_differ(table);
  for (size_t column = 0; column < table.columns.size(); ++column) {
    for (const size_t box : shown_boxes(all, column, with_seeds)) {
      sheet.headers.push_back({column_title(table.columns[column]), kBoxNames[box]});
      for (size_t row = 0; row < all.size(); ++row)
        sheet.rows[row].push_back(all[row][column][box]);
    }
  }
  return in_lines(std::move(sheet));
}

}  // namespace rethink
