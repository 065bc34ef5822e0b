// Makes the lists and maps in a query's rows short enough for a terminal.
#pragma once

#include <string>
#include <vector>

#include "results/query/run_query.h"

namespace rethink {

/// Shortens lists and maps in columns of text, so that other columns have room. It cuts the middle
/// out of long values, unless two different values of a column would become equal. In that case it
/// leaves out entries that all maps of the column share and cuts the rest, or keeps the rest whole
/// if a cut would make values equal. Returns the columns that were shortened.
std::vector<std::string> shorten_json(QueryResult& rows);

}  // namespace rethink
