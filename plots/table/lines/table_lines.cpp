#include "plots/table/lines/table_lines.h"

#include <fmt/format.h>

#include <set>

#include "core/error.h"

namespace rethink {
namespace {

TableColumn make_column(const GridLine& line, const TableSpec& spec) {
  TableColumn column;
  column.label = line.label;
  column.key = line.key;
  column.type = line.type;
  column.kind = line.spec->kind.value_or(CellKind::metric);
  if (line.spec->value)
    column.value =
        column.kind == CellKind::measurement ? line.spec->value->name : line.spec->value->text();
  if (!line.spec->kind) column.value = spec.metric->text();
  column.scale = line.spec->scale * scale_of(spec, column.kind);
  const bool scored = column.kind == CellKind::metric || column.kind == CellKind::imported ||
                      column.kind == CellKind::mean_of || column.kind == CellKind::published;
  column.direction = line.spec->direction.value_or(scored ? spec.direction : Direction::unknown);
  column.decimals = line.spec->decimals.value_or(spec.decimals.value_or(kLeastDecimals));
  column.stays = line.spec->unplanned.has_value();
  return column;
}

/// The baseline of a row is the last baseline above it; a single baseline is the baseline of all
/// rows.
void find_baselines(const TableSpec& spec, const Grid& grid, std::vector<TableRow>& rows) {
  if (spec.tests.empty()) return;
  std::set<size_t> baselines;
  for (const Word& baseline : spec.tests.front().baselines) {
    const std::optional<size_t> row = find_line(grid.rows, baseline.written());
    // The other rows refer to a baseline by its label.
    const WrittenValue name = row ? WrittenValue{grid.rows[*row].label} : baseline.written();
    const std::string several = trouble_of_several(grid.rows, name, "row");
    if (!several.empty()) {
      Problems().refuse(baseline.at, "ambiguous-name",
                        fmt::format("the test's baseline: the table {}", several));
    } else if (row) {
      baselines.insert(*row);
    } else if (!grid.narrowed()) {
      Problems().refuse(
          baseline.at, "unknown-row",
          fmt::format("the test's baseline '{}' is not a row of the table{}", baseline.text,
                      did_you_mean(baseline.text, line_labels(grid.rows))));
    }
  }
  if (baselines.empty()) return;
  std::optional<size_t> current;
  if (baselines.size() == 1) current = *baselines.begin();
  for (size_t row = 0; row < rows.size(); ++row) {
    if (baselines.contains(row))
      current = row;
    else if (current)
      rows[row].baseline = rows[*current].label;
  }
}

}  // namespace

std::optional<size_t> TableLines::baseline_of(size_t row) const {
  const std::string& baseline = rows[row].baseline;
  return baseline.empty() ? std::nullopt : find_line(rows, {baseline});
}

TableLines table_lines(const TableSpec& spec, const Grid& grid) {
  TableLines lines;
  for (const GridLine& row : grid.rows) lines.rows.push_back({{row.label, row.key, row.type}, ""});
  find_baselines(spec, grid, lines.rows);
  Problems problems;
  for (size_t column = 0; column < grid.columns.size(); ++column) {
    lines.columns.push_back(make_column(grid.columns[column], spec));
    lines.columns.back().parts = column_parts(column, grid, problems);
  }
  problems.throw_if_any();
  return lines;
}

}  // namespace rethink
