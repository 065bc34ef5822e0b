// Conditions of `when`, `exclude` and `where`: maps of axis or option to the value or values it
// must have.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/value_equality.h"
#include "core/yaml.h"

namespace rethink {

/// Any of several conditions, each a map whose keys must all hold; remembers what was ever met, so
/// that a misspelt name or value is found when the sweep has been expanded.
class Conditions {
 public:
  /// The value of an axis or option at a point; none where it has no such axis or option.
  using Lookup = std::function<std::optional<RecordedValue>(const std::string& key)>;

  Conditions() = default;
  /// `given` is a map or a list of maps; what else stands there is a problem.
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
  struct Term {
    std::string key;
    Position where;
    std::vector<Value> values;
    std::vector<std::string> seen;  // a few values that points had, for messages
    bool known = false;
  };
  struct All {
    std::vector<Term> terms;
    Position where;
    bool met = false;
  };
  void read_one(const Yaml& given, Problems& problems);
  bool holds(Term& term, const Lookup& value_of);

  std::vector<All> any_of_;
  bool asked_ = false;
};

}  // namespace rethink
