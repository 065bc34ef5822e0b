// The note on which metric `score` means in a table.
#pragma once

#include <string>

#include "core/config/schema.h"
#include "plots/table/lines/grid.h"
#include "plots/table/table.h"

namespace rethink {

/// Returns "score: mcc (CoLA), accuracy (RTE, SST-2)" for the columns of `table`, which was made from `grid`; "score:
/// mcc" if all have one metric. Empty if no column shows a score, or if the score has no other name.
std::string note_on_score_names(const Table& table, const Grid& grid, const Schema& schema);

}  // namespace rethink
