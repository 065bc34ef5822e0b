// The conditions of the short form, and notes on values that no trial has.
//   'task=cola and (mask=star or seed in (0, 1)) and not state=failed'
//   names  labels (arm, pretrain.arm), configuration keys (optimizer.lr, or their end: lr), and
//          trial job state seed sweep profile stage
//   =  !=  <  <=  >  >=  in (a, b)     by the rule of core/yaml/written_values.h. For a trial's id
//                                      the first digits are enough, in any case, if no other id
//                                      begins with them.
// Names are case-sensitive.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "core/yaml/written_values.h"
#include "results/store/store.h"

namespace rethink {

/// SQL for a value and for its type, both NULL if a trial lacks the value. Types are those of
/// json_type(), and 'label' (results/database/sql_functions.cpp).
struct SqlValue {
  std::string sql, type;
};

/// The meaning of names in one store, which outlives it.
class QueryNames {
 public:
  explicit QueryNames(Store& store);

  /// Returns SQL over trial t and sweep_trial s for the trial's label in the sweep, else its
  /// option. A label that equals the option gives the option's value, so that sweeps with and
  /// without such an axis are grouped together. Throws ConfigError if the name is unknown ("did you
  /// mean") or is the end of several configuration keys.
  std::string sql(const std::string& name) const;
  /// A comparison with a name, for the advice on a metric's name.
  struct Comparison {
    std::string with = "";  // SQL: "> 0.5", "IN (0, 1)"; empty: not a number
    bool is_part = false;   // part of a longer condition
  };
  /// Returns the same for value_is(), which compares values.
  SqlValue value(const std::string& name, const Comparison& comparison) const;
  SqlValue value(const std::string& name) const { return value(name, {}); }
  /// Throws ConfigError if `prefix`, in upper or lower case, begins the ids of several trials.
  void require_single_trial(const std::string& prefix) const;
  Store& store() const { return store_; }
  /// Returns whether sql(name) uses s, so that a trial counts once per sweep that has it.
  bool of_sweep(const std::string& name) const;

 private:
  /// Returns the configuration keys that `name` equals or ends.
  std::vector<std::string> keys_of(const std::string& name) const;
  std::string resolved(const std::string& name, const Comparison& comparison) const;
  [[noreturn]] void refuse(const std::string& name, const Comparison& comparison) const;
  Store& store_;
  std::set<std::string> labels_;
  std::map<std::string, bool> keys_;  // whether its value differs between trials
};

/// `name = value`, or one of the values of `name in (...)`.
struct Equality {
  std::string name, sql;
  WrittenValue value;
};

struct Condition {
  std::string sql;  // "1" without conditions
  bool speaks_of_sweeps = false;
  std::vector<Equality> equalities = {};
};

/// Returns the parsed condition. Throws ConfigError for a mistake in `text`, with its position; for
/// a state that no trial can have; and for an order comparison that no value satisfies.
Condition parse_condition(const std::string& text, const QueryNames& names);

/// Returns "no trial has stage=nope; did you mean 'none'?; values of stage: ..." for each value
/// that `where` compares with = or `in` and that no trial has. Empty if `where` keeps a trial.
/// Throws ConfigError as parse_condition().
std::vector<std::string> unmatched_values(Store& store, const std::string& where);

}  // namespace rethink
