// Checks for values that a table requests but its trials do not record: an error before a run, an
// explanation after it.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/config/schema.h"
#include "plots/table/lines/grid.h"
#include "plots/table/table.h"
#include "results/query/recorded_names.h"

namespace rethink {

/// Throws ConfigError with every requested value that a cell's trials will not record. For a select
/// stage, the candidates count. Metrics are checked by the facts of the jobs
/// (experiments/plan/expand/recorded_metrics.h), and so are facts and kinds of positions of
/// artifacts. A column that may be unplanned loses such trials instead. Requires: `grid` was made
/// from `spec` and `plans`.
void check_metrics(const TableSpec& spec, Grid& grid, const Plans& plans, const Schema& schema);

/// A column of measurements or facts, and rows whose trials in one stage are done, some without the
/// value.
struct StageWithoutValues {
  size_t column = 0;
  std::string stage;
  std::vector<size_t> rows;
  std::vector<std::string> trials;  // of these cells
};
/// `grid` is the grid of the table.
std::vector<StageWithoutValues> stages_without_values(const ComparedTable& table, const Grid& grid);

/// Only trials show which measurements a job records. If none of `stage.trials` has the value,
/// returns why, with what these trials recorded: "no trial of stage 'speed' has recorded measurement
/// 'forwrd_ms'; did you mean ...; recorded are: ...". Returns nothing if some trial has it.
std::optional<UnrecordedValue> unrecorded_value(const StageWithoutValues& stage,
                                                const RecordedNames& recorded,
                                                const ComparedTable& table);

}  // namespace rethink
