// Rows of a query on standard output, for people and for programs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/json_fwd.h"
#include "results/query/run_query.h"

namespace rethink {

/// `rows` as text (aligned, numbers to the right), md, csv, json (one array of objects) or latex
/// (booktabs), ending with a newline. Numbers keep every digit in csv and json, six significant
/// ones elsewhere. Throws ConfigError when there is no such format; `others`: what else the command
/// takes, as "plot, ". `decimals`: of numbers with a fraction, but in csv and json.
std::string format_rows(const QueryResult& rows, const std::string& format,
                        const std::string& others = "", std::optional<int64_t> decimals = {});

/// Returns an object for each row.
Json as_objects(const QueryResult& rows);

/// Returns `given` split at commas outside of parentheses.
std::vector<std::string> split_list(const std::vector<std::string>& given);

/// Makes lists and maps in columns of text short enough to leave room for the other columns: cuts
/// the middle out of long ones, unless that makes two different ones of a column alike: then
/// what all maps of the column have alike is left out, and what is left is cut likewise, or whole
/// where that does not part them. Returns the columns of which something was left out.
std::vector<std::string> shorten_json(QueryResult& rows);

}  // namespace rethink
