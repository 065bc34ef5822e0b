// Names in braces within the words of `run`: {config.lr}, {seed}; {{ is a brace.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace rethink {

/// Returns the names in `word`, in order: "config.lr". Throws ConfigError for an unmatched brace.
std::vector<std::string> placeholders_in(const std::string& word);

/// Returns `word` with the value of each name in its place. Requires: `value_of` knows each name of placeholders_in.
std::string with_placeholders(const std::string& word,
                              const std::function<std::string(const std::string& name)>& value_of);

}  // namespace rethink
