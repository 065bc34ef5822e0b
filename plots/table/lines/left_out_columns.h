// Leaves out the columns of a table whose sweeps cannot be planned: a data file is missing, or the
// sweep lacks the profile.
#pragma once

#include <map>
#include <string>

#include "plots/table/table_spec.h"

namespace rethink {

/// Why sweeps cannot be planned, by their paths in a spec.
using RefusedSweeps = std::map<std::string, std::string>;

/// Moves the columns of refused sweeps from spec.columns to spec.left_out, together with means and
/// ratios of such columns. Returns false if no table remains, since its rows come from a refused
/// sweep, or no column with trials remains. `spec` is then invalid.
bool leave_out_columns(TableSpec& spec, const RefusedSweeps& refused);

}  // namespace rethink
