// Rows and columns of a table: labels, the content of each column, and the row that each row is
// compared with. Every stage of a table has them; they follow from the spec and the grid, without
// any record.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "plots/table/lines/grid.h"
#include "plots/table/table_spec.h"

namespace rethink {

template <typename Cell>
using Cells = std::vector<std::vector<Cell>>;  // [row][column]

constexpr int64_t kLeastDecimals = 2;  // of a column whose spec gives no number

struct TableRow : TableLine {
  std::string baseline;  // label of the row that it is compared with; empty: with none
};

struct TableColumn : TableLine {
  CellKind kind = CellKind::metric;
  std::string value;      // "test/perplexity@best"
  std::string direction;  // min, max, or empty
  int64_t decimals = kLeastDecimals;
  bool stays = false;           // shown also where no trial is planned
  double scale = 1;             // what is shown is so many times the metric: 100 of percentages
  std::vector<size_t> parts{};  // columns that it is the mean or the ratio of
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
