// A table with comparisons: with the paper's numbers, and with those of the baseline's row. It is made from a table
// with all our numbers, the paper's numbers in the spec, and the records that the test over items needs.
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
  size_t left_out = 0;  // rows whose models always give the same answer
};

struct ComparedTable : TableLines {
  Cells<Cell> cells;
  std::vector<RowOrder> orders;  // for each column
  std::vector<TestSpec> tests;
  size_t item_resamples = 0;  // resamples of paired_bootstrap
};

/// Returns the compared table. Seeds pair across arms, and each test is corrected over all
/// comparisons of the table. The first mark of a cell without a number is the reason why. Throws
/// ConfigError if the paper's numbers name missing rows or columns.
ComparedTable compared_table(DerivedTable derived, const TableSpec& spec, const Grid& grid,
                             const TrialRecords& records, const ItemMetrics& metrics, TableUse use);

}  // namespace rethink
