// Names that files of a store could not hold, refused before anything runs.
#pragma once

#include <string>

namespace rethink {

/// Throws ConfigError where `text`, which `what` gave, is not UTF-8: stores and sweeps are JSON, YAML
/// and SQLite, which take UTF-8 alone.
void require_utf8(const std::string& what, const std::string& text);

}  // namespace rethink
