// Names in braces within the words of `run`: {config.lr}, {seed}; {{ is a brace.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace rethink {

/// The names in `word`, in order: "config.lr". Throws ConfigError for a brace that is not closed, or opened.
std::vector<std::string> placeholders_in(const std::string& word);

/// `word` with the value of each name in its place. Requires: `value_of` knows each of placeholders_in.
std::string with_placeholders(const std::string& word,
                              const std::function<std::string(const std::string& name)>& value_of);

}  // namespace rethink
