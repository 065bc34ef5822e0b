// Conditions of `when`, `exclude` and `where`: maps from an axis or option to its required value or
// values.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/yaml/written_values.h"
#include "core/yaml/yaml.h"

namespace rethink {

/// Largest numbers of conditions in a list, and of different keys in them. At each of kMostPoints
/// points every key is looked up.
constexpr size_t kMostConditions = 10'000, kMostConditionKeys = 50;

/// A disjunction of conditions, each a map whose keys must all match. It remembers what matched, so
/// that a misspelt name or value is found after the sweep has been expanded.
class Conditions {
 public:
  /// Returns the value of an axis or option at a point; nothing if the point lacks it.
  using Lookup = std::function<std::optional<RecordedValue>(const std::string& key)>;

  Conditions() = default;
  /// Reads `given`, a map or a list of maps; anything else is a problem. Throws ConfigError for
  /// more than kMostConditions or kMostConditionKeys.
  Conditions(const Yaml& given, Problems& problems);

  bool empty() const { return any_of_.empty(); }
  bool hold(const Lookup& value_of);
  std::vector<std::string> keys() const;

  /// Adds a problem for every unknown key; `axes` are names for suggestions.
  void report_unknown(const std::string& what,
                      const std::function<bool(const std::string&)>& is_known,
                      const std::vector<std::string>& axes, Problems& problems) const;
  /// Adds a problem for every key that no point had and, if `values_too`, for every value that no
  /// point had and every condition that no point met. `what` is the key of the conditions; `known`
  /// are names for suggestions.
  void report_unmet(const std::string& what, const std::vector<std::string>& known, bool values_too,
                    Problems& problems) const;

 private:
  struct Value {
    WrittenValue written;
    Position where;
    bool met = false;
  };
  using Bits = std::vector<uint64_t>;  // one bit for each condition

  struct Term {
    size_t key;  // position in keys_
    Position where;
    std::vector<Value> values;
  };
  struct All {
    std::vector<Term> terms;
    Position where;
  };
  struct ValueAt {
    size_t condition, term, value;
  };
  /// A key with the terms of all conditions that name it. The effect of a value is computed once
  /// for all points with this value.
  struct Key {
    std::string name;
    bool known = false;
    std::vector<std::string> seen;  // a few values that occurred, for messages
    std::vector<ValueAt> values;
    ValueIndex index;                               // of `values`
    Bits without;                                   // conditions that do not name the key
    std::unordered_map<std::string, Bits> allowed;  // by value; empty = `without`
  };
  void read_one(const Yaml& given, Problems& problems);
  void index_values();
  size_t place_of_key(const Yaml::Entry& entry, Problems& problems);
  const Bits& allowed_at(Key& key, const RecordedValue& actual);
  bool report_unmet_term(const std::string& what, const Term& term,
                         const std::vector<std::string>& known, bool values_too,
                         Problems& problems) const;

  std::vector<All> any_of_;
  std::vector<Key> keys_;
  std::unordered_map<std::string, size_t> place_of_;  // position of a key in keys_
  Bits met_;
  bool asked_ = false;
};

}  // namespace rethink
