// A table without the columns whose sweeps cannot be planned: a data file is missing, or the sweep lacks
// the profile.
#pragma once

#include <map>
#include <string>

#include "plots/table/table_spec.h"

namespace rethink {

/// Why sweeps cannot be planned, by the paths that a spec gives.
using RefusedSweeps = std::map<std::string, std::string>;

/// Moves the columns of refused sweeps from spec.columns to spec.left_out, and with them the means and
/// ratios of such columns. Returns false where no table is left: its rows come from a refused sweep, or no
/// column with trials remains. `spec` is then of no use.
bool leave_out_columns(TableSpec& spec, const RefusedSweeps& refused);

}  // namespace rethink
