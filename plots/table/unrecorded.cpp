#include "plots/table/unrecorded.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.h"

namespace rethink {
namespace {

/// Rows by the stage whose trials the column has there.
std::map<std::string, std::vector<size_t>> rows_by_stage(const Grid& grid, size_t column) {
  std::map<std::string, std::vector<size_t>> rows;
  for (size_t row = 0; row < grid.trials.size(); ++row) {
    const CellTrials& trials = grid.trials[row][column];
    if (!trials.empty()) rows[trials.front()->stage].push_back(row);
  }
  return rows;
}

void explain(Cell& cell, const std::string& text) {
  for (Mark& mark : cell.marks) {
    if (mark.kind == MarkKind::no_value) mark.text = text;
  }
}

/// Of a mean or ratio that has trials of `part` and no number.
bool is_made_of(const Cell& cell, const Cell& part) {
  const bool derived = cell.kind == CellKind::mean_of || cell.kind == CellKind::ratio;
  return derived && !part.trials.empty() &&
         std::ranges::count(cell.trials, part.trials.front()) > 0;
}

/// Why no trial of `stage` has the column's value; empty: some trial has it.
std::string why_unrecorded(const TableColumn& column, const std::string& stage,
                           const RecordedNames& recorded) {
  const bool is_fact = column.kind == CellKind::fact;
  const std::vector<std::string>& known = is_fact ? recorded.facts : recorded.measurements;
  if (std::ranges::count(known, column.value) > 0) return "";
  return fmt::format("no trial of stage '{}' has recorded {} '{}'{}; recorded are: {}", stage,
                     is_fact ? "fact" : "measurement", column.value,
                     did_you_mean(column.value, known), known.empty() ? "none" : joined(known));
}

}  // namespace

void explain_unrecorded(Table& table, const Grid& grid, const RecordedNamesOf& recorded) {
  for (size_t column = 0; column < table.columns.size(); ++column) {
    const CellKind kind = table.columns[column].kind;
    if (kind != CellKind::measurement && kind != CellKind::fact) continue;
    for (const auto& [stage, rows] : rows_by_stage(grid, column)) {
      std::vector<std::string> trials;
      bool lacks = false;
      for (const size_t row : rows) {
        const Cell& cell = table.cells[row][column];
        trials.insert(trials.end(), cell.trials.begin(), cell.trials.end());
        lacks = lacks || cell.has(MarkKind::no_value);
      }
      const std::string text =
          lacks ? why_unrecorded(table.columns[column], stage, recorded(trials)) : "";
      if (text.empty()) continue;
      for (const size_t row : rows) {
        const Cell part = table.cells[row][column];
        for (Cell& cell : table.cells[row]) {
          if (&cell == &table.cells[row][column] || is_made_of(cell, part)) explain(cell, text);
        }
      }
    }
  }
}

}  // namespace rethink
