// The note on which metric `score` means in a table.
#pragma once

#include <string>
#include <vector>

#include "core/config/schema.h"
#include "plots/table/lines/grid.h"
#include "plots/table/lines/table_lines.h"

namespace rethink {

/// Returns "score: mcc (CoLA), accuracy (RTE, SST-2)" for these columns of the table of `grid`; "score:
/// mcc" if all have one metric. Empty if no column shows a score, or if the score has no other name.
std::string note_on_score_names(const std::vector<TableColumn>& columns, const Grid& grid,
                                const Schema& schema);

}  // namespace rethink
