#include "plots/table/cells/measured_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "plots/table/lines/unlike_arms.h"

namespace rethink {
namespace {

/// Takes the heads of seeds with one trial. Over several trials a mean has no heads.
void take_heads(MeasuredCell& cell, const TrialRecords& records, const ValueName& places) {
  std::map<int64_t, size_t> trials;
  for (const std::string& id : cell.trials) {
    const TrialRecord* record = find_record(records, id);
    if (!record) continue;
    const int64_t seed = record->seed.value_or(0);
    const auto heads = record->heads.find(places.text());
    if (++trials[seed] > 1) cell.heads.erase(seed);
    if (heads != record->heads.end() && trials[seed] == 1) cell.heads[seed] = heads->second;
  }
}

void explain_unplanned(MeasuredCell& cell, const std::string& why) {
  for (Mark& mark : cell.marks) {
    if (mark.kind == MarkKind::not_planned) mark.text = why;
  }
}

/// For a row or column that is not run, the cell has only the paper's number. A derived cell stays empty.
MeasuredCell measured_cell_at(const GridLine& row, const GridLine& column, const TableColumn& shown,
                              const CellTrials& trials, const TrialRecords& records,
                              const TableSpec& spec) {
  const LineSpec& line = *column.spec;
  MeasuredCell cell;
  if (row.spec->published || line.published) {
    cell.kind = CellKind::published;
    cell.marks.push_back(
        {MarkKind::published, row.spec->published ? *row.spec->published : *line.published});
  } else if (line.of.empty()) {
    const CellValue value{shown.kind, line.value ? *line.value : *spec.metric, shown.scale};
    cell = measure_cell(trials, records, value, spec);
    if (line.unplanned) explain_unplanned(cell, *line.unplanned);
    if (value.kind == CellKind::places) take_heads(cell, records, value.name);
  }
  return cell;
}

/// Marks a cell whose trials, all done, lack a fact or an artifact's positions that trials of other rows have: their
/// models have no such part.
void mark_not_applicable(MeasuredTable& table) {
  for (size_t column = 0; column < table.columns.size(); ++column) {
    const CellKind kind = table.columns[column].kind;
    if (kind != CellKind::fact && kind != CellKind::places) continue;
    const bool has_number = std::ranges::any_of(
        table.cells,
        [&](const std::vector<MeasuredCell>& row) { return row[column].value.has_value(); });
    for (std::vector<MeasuredCell>& row : table.cells) {
      MeasuredCell& cell = row[column];
      if (!has_number || cell.value || cell.waits() || !cell.has(MarkKind::no_value)) continue;
      std::erase_if(cell.marks, [](const Mark& mark) { return mark.kind == MarkKind::no_value; });
      cell.marks.push_back({MarkKind::not_applicable,
                            fmt::format("its trials leave no {}", table.columns[column].value)});
    }
  }
}

}  // namespace

MeasuredTable measured_table(TableLines lines, const TableSpec& spec, const Grid& grid,
                             const TrialRecords& records) {
  MeasuredTable table{std::move(lines), {}};
  for (size_t row = 0; row < grid.rows.size(); ++row) {
    std::vector<MeasuredCell>& cells = table.cells.emplace_back();
    for (size_t column = 0; column < grid.columns.size(); ++column)
      cells.push_back(measured_cell_at(grid.rows[row], grid.columns[column], table.columns[column],
                                       grid.trials[row][column], records, spec));
  }
  mark_not_applicable(table);
  mark_unlike_arms(table, spec, grid, records);
  return table;
}

}  // namespace rethink
