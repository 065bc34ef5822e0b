#include "plots/table/lines/fold.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.h"
#include "plots/table/notes.h"

namespace rethink {
namespace {

constexpr size_t kNamesBeforeFold = 4;

/// Whether the cell has only the paper's number, since no trial runs for it.
bool has_only_paper_value(const Cell& cell) {
  return cell.is_unplanned() || cell.kind == CellKind::published;
}

bool is_empty(const std::vector<const Cell*>& line) {
  return std::ranges::all_of(line, [](const Cell* cell) { return has_only_paper_value(*cell); }) &&
         std::ranges::any_of(line, [](const Cell* cell) { return cell->is_unplanned(); });
}

/// Whether each row or column stays.
struct KeptLines {
  std::vector<bool> rows, columns;
};

KeptLines lines_kept(const Table& table) {
  KeptLines kept{std::vector<bool>(table.rows.size(), true),
                 std::vector<bool>(table.columns.size(), true)};
  for (size_t row = 0; row < table.rows.size(); ++row) {
    std::vector<const Cell*> line;
    for (const Cell& cell : table.cells[row]) line.push_back(&cell);
    kept.rows[row] = !is_empty(line);
  }
  for (size_t column = 0; column < table.columns.size(); ++column) {
    std::vector<const Cell*> line;
    for (size_t row = 0; row < table.rows.size(); ++row) {
      if (kept.rows[row]) line.push_back(&table.cells[row][column]);
    }
    kept.columns[column] = table.columns[column].stays || !is_empty(line);
  }
  return kept;
}

template <typename T>
std::vector<T> only(const std::vector<T>& all, const std::vector<bool>& kept) {
  std::vector<T> left;
  for (size_t i = 0; i < all.size(); ++i) {
    if (kept[i]) left.push_back(all[i]);
  }
  return left;
}

/// "2 of 3 rows (Star, BigBird)"; "" if all are kept.
template <typename Line>
std::string left_out(const std::vector<Line>& lines, const std::vector<bool>& kept,
                     const std::string& word) {
  std::vector<std::string> names;
  for (size_t i = 0; i < lines.size(); ++i) {
    if (!kept[i]) names.push_back(lines[i].label);
  }
  if (names.empty()) return "";
  const size_t number = names.size(),
               more = number > kNamesBeforeFold + 1 ? number - kNamesBeforeFold : 0;
  names.resize(number - more);
  if (more > 0) names.push_back(fmt::format("and {} more", more));
  return fmt::format("{} of {} {} ({})", number, lines.size(), word, joined(names, "; "));
}

}  // namespace

Table folded(Table table) {
  const KeptLines kept = lines_kept(table);
  const auto any = [](const std::vector<bool>& lines) {
    return std::ranges::any_of(lines, [](bool one) { return one; });
  };
  std::vector<std::string> parts = {left_out(table.rows, kept.rows, "rows"),
                                    left_out(table.columns, kept.columns, "columns")};
  std::erase(parts, "");
  if (parts.empty() || !any(kept.rows) || !any(kept.columns)) return table;
  table.rows = only(table.rows, kept.rows);
  table.columns = only(table.columns, kept.columns);
  table.orders = only(table.orders, kept.columns);
  table.cells = only(table.cells, kept.rows);
  for (std::vector<Cell>& row : table.cells) row = only(row, kept.columns);
  for (const NoteSpec& note : table.bound_notes) {
    if (!is_about(note, table)) std::erase(table.notes, SheetNote{note.text});
  }
  table.notes.insert(
      table.notes.begin(),
      SheetNote{"not shown, as none of their trials are planned: " + joined(parts, " and "),
                "; to see them: " + table.again.table(table.name, "--unplanned")});
  return table;
}

}  // namespace rethink
