// A measurement or fact that a table asks for and no trial has: which there are instead.
#pragma once

#include <functional>

#include "plots/table/table.h"
#include "results/query/recorded_names.h"

namespace rethink {

/// What trials recorded, asked only where a value lacks.
using RecordedNamesOf = std::function<RecordedNames(const std::vector<std::string>& trials)>;

/// Which measurements a job records is known from its trials alone. Of a column of measurements or
/// facts that no trial of a stage has, each cell without a value says what these trials recorded:
/// "no trial of stage 'speed' has recorded measurement 'forwrd_ms'; did you mean ...; recorded are:
/// ..."; so do the means and ratios of such cells. `grid`: what the table was made of.
void explain_unrecorded(Table& table, const Grid& grid, const RecordedNamesOf& recorded);

}  // namespace rethink
