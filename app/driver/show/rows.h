// Rows of a query on standard output, for people and for programs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/json_fwd.h"
#include "results/query/run_query.h"

namespace rethink {

/// Returns `rows` as text (aligned, numbers to the right), md, csv, json (one array of objects) or
/// latex (booktabs), with a newline at the end. Numbers have all digits in csv and json, else six
/// significant digits; `decimals` applies to other numbers with a fraction. Throws ConfigError for
/// an unknown format; `others` are further formats of the command, such as "plot, ".
std::string format_rows(const QueryResult& rows, const std::string& format,
                        const std::string& others = "", std::optional<int64_t> decimals = {});

/// Returns an object for each row.
Json as_objects(const QueryResult& rows);

/// Returns the values of `option` ("--only") split at commas outside of parentheses. Throws
/// ConfigError if they list nothing, as --only "$UNSET" does: nothing must not mean everything.
std::vector<std::string> split_list(const std::string& option,
                                    const std::vector<std::string>& given);

/// Shortens lists and maps in columns of text, so that other columns have room. It cuts the middle
/// out of long values, unless two different values of a column would become equal. In that case it
/// leaves out entries that all maps of the column share and cuts the rest, or keeps the rest whole
/// if a cut would make values equal. Returns the columns that were shortened.
std::vector<std::string> shorten_json(QueryResult& rows);

}  // namespace rethink
