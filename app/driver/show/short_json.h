// Lists and maps in columns of text, short enough to leave room for the other columns.
#pragma once

#include <string>
#include <vector>

#include "results/query/run_query.h"

namespace rethink {

/// Cuts the middle out of long ones, unless that makes two different ones of a column alike: then
/// what all maps of the column have alike is left out, and what is left is cut likewise, or whole
/// where that does not part them. Returns the columns of which something was left out.
std::vector<std::string> shorten_json(QueryResult& rows);

}  // namespace rethink
