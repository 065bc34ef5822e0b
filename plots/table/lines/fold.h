// Removes the lines of a table that its profile leaves empty, for people.
#pragma once

#include "plots/table/table.h"

namespace rethink {

/// `table` without the rows and columns of which nothing is planned, without the notes that are about
/// these alone, and with one that says which these are and how to see them. The same table where
/// there are none, or where nothing would be left.
Table folded(Table table);

}  // namespace rethink
