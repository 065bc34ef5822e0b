// Reads the maps of a spec file: every key is read once, and an unread key is an error with its
// position.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/yaml/written_values.h"
#include "core/yaml/yaml.h"

namespace rethink {

/// A text of a file, with its position.
struct Word {
  std::string text;
  Position at;
  bool quoted = false;  // '1' or "1": text, never a number

  WrittenValue written() const { return {text, quoted}; }
};

/// Returns the key of a map's entry.
Word word_of_key(const Yaml::Entry& entry);

/// Text by label or key, in the order of the file.
struct SpecPair {
  Word key, value;
};
using SpecPairs = std::vector<SpecPair>;

std::vector<std::string> texts_of(const std::vector<Word>& words);

/// Error: a spec with such a name has no output.
struct UnusableName : ConfigError {
  using ConfigError::ConfigError;
};

/// Limit on the rows, columns, series, lines or panels of a spec.
constexpr size_t kMostItems = 1'000;

/// A map of a spec. Problems are collected, and values are then defaults.
class SpecReader {
 public:
  /// `what` is the map's name in messages ("table", "column").
  SpecReader(const Yaml& map, std::string what, Problems& problems);

  /// Returns null if the key is missing or null.
  const Yaml* take(const std::string& key);
  bool has(const std::string& key) const { return map_.find(key) != nullptr; }
  /// Makes finish() report the key if it is missing or null, unless a misspelt key is in its place.
  void require(const std::string& key);
  std::string text(const std::string& key, const std::string& otherwise = "");
  std::optional<std::string> optional_text(const std::string& key);
  std::optional<Word> word(const std::string& key);
  std::string required_text(const std::string& key);
  /// Returns the name of the spec and of its files below --out: a path of at most 200 bytes that ends with a file's
  /// name, without a part ".." and without control characters. Throws UnusableName.
  std::string name_of_spec(const std::string& key);
  std::string choice(const std::string& key, const std::vector<std::string>& choices,
                     const std::string& otherwise);
  std::optional<double> number(const std::string& key);
  std::optional<int64_t> integer(const std::string& key, int64_t minimum);
  bool boolean(const std::string& key, bool otherwise);
  /// Returns a list of scalars, or one scalar as a list.
  std::vector<Word> words(const std::string& key) { return words(key, Null::refused); }
  /// Returns the same for trials' values, which may be null.
  std::vector<Word> values(const std::string& key) { return words(key, Null::is_a_value); }
  std::vector<std::string> texts(const std::string& key) { return texts_of(words(key)); }
  /// Returns a map of scalars.
  SpecPairs pairs(const std::string& key) { return pairs(key, Null::refused); }
  /// Returns the same for labels or options with trials' values, which may be null.
  SpecPairs value_pairs(const std::string& key) { return pairs(key, Null::is_a_value); }
  /// Returns each map of a list, or a single map without a list. Adds a problem, which shows
  /// `example`, for any other value. Throws ConfigError for more than kMostItems.
  std::vector<const Yaml*> maps(const std::string& key, const std::string& example);
  /// Reports unknown keys, and missing required keys.
  void finish();
  void problem(const Position& where, const std::string& text) {
    problems_.add(where, "invalid-value", text);
  }
  const Position& where() const { return map_.where; }

 private:
  enum class Null { refused, is_a_value };
  std::vector<Word> words(const std::string& key, Null null);
  SpecPairs pairs(const std::string& key, Null null);
  /// Returns nothing if the node is not such a value.
  static std::optional<Word> word_of(const Yaml& given, Null null);

  const Yaml& map_;
  std::string what_;
  Problems& problems_;
  std::vector<std::string> taken_, missing_;
};

/// Returns the key `scale`, the factor from trials' values to shown values; 1 if missing. Adds a
/// problem unless it is above 0.
double read_scale(SpecReader& reader);

/// Returns the whole text as a number; nothing if it is not a finite number.
std::optional<double> parse_number(const std::string& text);

}  // namespace rethink
