// Conditions of `when`, `exclude` and `where`: maps of axis or option to the value or values it
// must have.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/config/written_values.h"
#include "core/config/yaml.h"

namespace rethink {

/// More conditions in one list, or more different keys in them, are a mistake: at each of
/// kMostPoints points every key is looked up.
constexpr size_t kMostConditions = 10'000, kMostConditionKeys = 50;

/// Any of several conditions, each a map whose keys must all hold; remembers what was ever met, so
/// that a misspelt name or value is found when the sweep has been expanded.
class Conditions {
 public:
  /// The value of an axis or option at a point; none where it has no such axis or option.
  using Lookup = std::function<std::optional<RecordedValue>(const std::string& key)>;

  Conditions() = default;
  /// `given` is a map or a list of maps; what else stands there is a problem. Throws ConfigError
  /// for more than kMostConditions or kMostConditionKeys.
  Conditions(const Yaml& given, Problems& problems);

  bool empty() const { return any_of_.empty(); }
  bool hold(const Lookup& value_of);
  std::vector<std::string> keys() const;

  /// Adds a problem for every key that is not known; `axes` are names to compare with.
  void report_unknown(const std::string& what,
                      const std::function<bool(const std::string&)>& is_known,
                      const std::vector<std::string>& axes, Problems& problems) const;
  /// Adds a problem for every key that was never there, and (when `values_too`) for every value
  /// that no point had and every condition that no point met. `what` is the word they stand under;
  /// `known` are names to compare with.
  void report_unmet(const std::string& what, const std::vector<std::string>& known, bool values_too,
                    Problems& problems) const;

 private:
  struct Value {
    WrittenValue written;
    Position where;
    bool met = false;
  };
  using Bits = std::vector<uint64_t>;  // one for each condition

  struct Term {
    size_t key;  // in keys_
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
  /// A key with the terms of all conditions that name it. What a value of it decides is found once
  /// for all points that have it.
  struct Key {
    std::string name;
    bool known = false;
    std::vector<std::string> seen;  // a few values that points had, for messages
    std::vector<ValueAt> values;
    ValueIndex index;                               // of `values`
    Bits without;                                   // the conditions that do not name the key
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
  std::unordered_map<std::string, size_t> place_of_;  // of a key in keys_
  Bits met_;
  bool asked_ = false;
};

}  // namespace rethink
