// The parts of a cell that is a mean over more than seeds: the columns of a mean or ratio, the
// values of axes that its table averages over.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "app/driver/show/tables/table_view.h"
#include "results/query/run_query.h"

namespace rethink {

struct CellPart {
  std::string name;    // "SST-2"; "mask.ratio=0.1"; "SST-2, mask.ratio=0.1"
  std::string column;  // label of the column of a mean or ratio; else empty
  std::map<int64_t, PartOfSeed> seeds;
};

/// Returns the parts in the order of the table; none for a cell that has only seeds.
std::vector<CellPart> parts_of_cell(const TableView& view, size_t row, size_t column);

/// Returns a row for each part, with the value of each seed, or the reason why it has none, and the
/// beginning of the trial's id.
QueryResult rows_of(const std::vector<CellPart>& parts);

}  // namespace rethink
