// A table whose cells are compared: with the paper's numbers, and with those of the baseline's row. Takes a table with
// every number of ours, the paper's from the spec, and what the test over items needs of records.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "plots/table/cells/cell.h"
#include "plots/table/cells/derived_table.h"
#include "plots/table/cells/item_metric.h"

namespace rethink {

/// Our order of a column's rows against the paper's.
struct RowOrder {
  std::optional<double> kendall = {};
  size_t rows = 0;
  size_t left_out = 0;  // rows whose models give always the same answer
};

struct ComparedTable : TableLines {
  Cells<Cell> cells;
  std::vector<RowOrder> orders;  // of each column
  std::vector<TestSpec> tests;
  size_t item_resamples = 0;  // that paired_bootstrap took
};

/// Seeds pair across arms; each test is corrected over all comparisons of the table. What keeps a cell from its number
/// is its first mark. Throws ConfigError where the paper's numbers are of rows or columns that are not there.
ComparedTable compared_table(DerivedTable derived, const TableSpec& spec, const Grid& grid,
                             const TrialRecords& records, const ItemMetrics& metrics, TableUse use);

}  // namespace rethink
