// Rows and columns of a table: labels, the content of each column, and the row with which each row
// is compared. They follow from the spec and the grid, without records, and are part of every stage
// of a table.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/direction.h"
#include "plots/table/lines/grid.h"
#include "plots/table/table_spec.h"

namespace rethink {

template <typename Cell>
using Cells = std::vector<std::vector<Cell>>;  // [row][column]

constexpr int64_t kLeastDecimals = 2;  // of a column without decimals in the spec

struct TableRow : TableLine {
  std::string baseline;  // label of the row with which it is compared; empty: none
};

struct TableColumn : TableLine {
  CellKind kind = CellKind::metric;
  std::string value;  // "test/perplexity@best"
  Direction direction = Direction::unknown;
  int64_t decimals = kLeastDecimals;
  bool stays = false;           // shown even if no trial is planned
  double scale = 1;             // factor from the metric to the shown value: 100 for percentages
  std::vector<size_t> parts{};  // columns of which it is the mean or the ratio
};

struct TableLines {
  std::vector<TableRow> rows;
  std::vector<TableColumn> columns;

  /// Returns the row with which a row is compared; nothing for a baseline, or without a baseline.
  std::optional<size_t> baseline_of(size_t row) const;
};

/// Throws ConfigError for a baseline that is not a row, and for parts of means that are not
/// columns.
TableLines table_lines(const TableSpec& spec, const Grid& grid);

}  // namespace rethink
