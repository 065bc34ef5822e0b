// Which metric `score` is, in a table that shows it under this name.
#pragma once

#include <string>

#include "core/config/schema.h"
#include "plots/table/lines/grid.h"
#include "plots/table/table.h"

namespace rethink {

/// "score: mcc (CoLA), accuracy (RTE, SST-2)" of the columns of `table`, which was made of `grid`; "score: mcc" where all
/// are of one metric. Empty where no column shows a score, or where that is its only name.
std::string note_on_score_names(const Table& table, const Grid& grid, const Schema& schema);

}  // namespace rethink
