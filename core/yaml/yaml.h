// Reads YAML for all rooms. yaml-cpp keeps only the first of two equal keys, reads 010 as octal and
// ignores "<<", so only this file uses it. Scalars stay text; core/config/check.h gives them a
// type.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "core/config/problems.h"

namespace rethink {

/// Largest number of parts of a dotted key. Each part is a map inside another map.
constexpr int kMostKeyParts = 50;

/// A node with its place. Maps keep the order of the file.
struct Yaml {
  enum class Kind { null, scalar, list, map };
  struct Entry;

  Kind kind = Kind::null;
  std::string scalar;
  bool quoted = false;  // '5' and "5" are text wherever the schema allows text
  std::vector<Yaml> items;
  std::vector<Entry> entries;
  Position where;

  bool is_null() const { return kind == Kind::null; }
  bool is_scalar() const { return kind == Kind::scalar; }
  bool is_list() const { return kind == Kind::list; }
  bool is_map() const { return kind == Kind::map; }
  /// Returns null if this is not a map or lacks the key.
  const Yaml* find(const std::string& key) const;
  Yaml* find(const std::string& key);
  std::vector<std::string> keys() const;
};

struct Yaml::Entry {
  std::string key;
  Position where;  // of the key
  Yaml value;
  bool key_quoted = false;  // as `quoted`; it matters where a key names a value
};

/// Reads YAML. Adds a problem, with its position, for each duplicate key, missing ':', merge key
/// and tag, and continues. Throws ConfigError with all problems if the rest cannot be read: invalid
/// YAML or UTF-8, nesting deeper than 100, more than 500,000 keys and values, a map of more than
/// 2,000 keys, anchors and aliases that expand to more than 100,000 nodes or 4 MiB of text. `name`
/// is the file's name in messages.
Yaml parse_yaml(const std::string& text, const std::string& name, Problems& problems);
/// Reads a value from the command line. `flag` is the position of everything in it.
Yaml parse_yaml_of_flag(const std::string& text, const std::string& flag, Problems& problems);
/// Does the same, and throws all problems.
Yaml parse_yaml(const std::string& text, const std::string& name);

/// Reads a file with parse_yaml. Throws ConfigError if it cannot be read or has more than 8 MiB.
Yaml read_yaml(const std::filesystem::path& path, Problems& problems);
Yaml read_yaml(const std::filesystem::path& path);

}  // namespace rethink
