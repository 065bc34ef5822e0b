// The name of a file as SQLite takes it.
#pragma once

#include <filesystem>
#include <string>

namespace rethink {

/// SQLite reads "file:x?mode=ro" as an address and ":memory:" as no file, where they begin a name;
/// a path that is told from the root or from here begins neither way. "" stays: a temporary file.
inline std::string sqlite_name(const std::filesystem::path& path) {
  return path.empty() || path.is_absolute() ? path.string() : "./" + path.string();
}

}  // namespace rethink
