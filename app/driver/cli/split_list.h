// Options that take a list: --only a,b.
#pragma once

#include <string>
#include <vector>

namespace rethink {

/// Returns the values of `option` ("--only") split at commas outside of parentheses. Throws
/// ConfigError for an empty list, as --only "$UNSET" gives, since an empty list must not select
/// everything.
std::vector<std::string> split_list(const std::string& option,
                                    const std::vector<std::string>& given);

}  // namespace rethink
