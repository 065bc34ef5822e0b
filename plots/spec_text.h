// Writing the maps of a spec file: text that parse_yaml reads back to the same keys and values.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace rethink {

/// `text` as a YAML scalar within {} or []: plain where it can be, so that numbers stay numbers, else in double quotes.
std::string spec_word(const std::string& text);

using SpecEntries = std::vector<std::pair<std::string, std::string>>;

/// "{arm: dense, optimizer.lr: 0.1}" from keys and values that are written already.
std::string spec_map(const SpecEntries& entries);

/// The same of values as trials have them: for the key `where`.
std::string spec_where(const SpecEntries& values);

}  // namespace rethink
