// Removes lines of a table that its profile leaves empty, in output for people.
#pragma once

#include "plots/table/table.h"

namespace rethink {

/// Returns `table` without the rows and columns for which nothing is planned and without notes on
/// only these, plus a note that lists them and says how to see them. Returns the same table if
/// there are none, or if nothing would remain.
Table folded(Table table);

}  // namespace rethink
