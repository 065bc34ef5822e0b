// Comma-separated values as RFC 4180 has them, for pandas and R alike.
#pragma once

#include <string>
#include <vector>

namespace rethink {

/// The fields with commas between them and "\n" behind: in quotes where one holds a comma, a quote or
/// a line end, and where it is alone and blank, as programs skip a blank line.
std::string csv_line(const std::vector<std::string>& fields);

}  // namespace rethink
