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

}  // namespace rethink
