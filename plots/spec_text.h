// Writes the maps of a spec file, as text that parse_yaml reads back to the same keys and values.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace rethink {

/// Returns `text` as a YAML scalar within {} or []: plain if possible, so that numbers stay
/// numbers, else in double quotes.
std::string spec_word(const std::string& text);

using SpecEntries = std::vector<std::pair<std::string, std::string>>;

/// Returns "{arm: dense, optimizer.lr: 0.1}" from keys and values in YAML.
std::string spec_map(const SpecEntries& entries);

/// Returns the same for trials' values, for the key `where`.
std::string spec_where(const SpecEntries& values);

}  // namespace rethink
