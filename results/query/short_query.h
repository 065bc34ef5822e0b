// The SQL of one short query (query.h), and what its functions take together.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "results/query/chosen_trials.h"
#include "results/query/named_metric.h"
#include "results/query/run_query.h"

namespace rethink {

class ShortQuerySql {
 public:
  /// Throws ConfigError: unknown names or functions, lists that are too long.
  ShortQuerySql(Store& store, const ShortQuery& query);

  /// Throws ConfigError: a value of each trial beside a value of all of them.
  std::string sql();

  /// "WITH ... chosen AS (...)\n", as ChosenTrials::sql().
  std::string chosen(const std::string& more = "") const { return chosen_.sql(more); }
  /// SQL of the groups' columns of `chosen c`; empty without groups.
  std::string groups() const { return chosen_.groups(); }
  /// SQL over `chosen c`: whether a function takes a value of the trial, or would if it were done;
  /// empty where there is no such function.
  std::string has_value() const { return any_of(values_); }
  std::string has_metric() const { return any_of(metrics_); }

  /// A metric of the reported split that a function takes.
  struct Reported {
    std::string name;
    std::string value, split;  // SQL over `chosen c`; NULL where the function takes none
  };
  const std::vector<Reported>& reported() const { return reported_; }

 private:
  struct Value {
    std::string sql;
    bool is_metric = false;
    bool is_name = false;    // a label, a configuration key or a column of trial
    std::string split = {};  // of a metric of the reported split: SQL of that
  };

  static std::string any_of(const std::vector<std::string>& values);
  std::string column_of(const std::string& item);
  std::string function_column(const std::string& item, const std::string& function,
                              const std::string& inner);
  Value value_of(const std::string& value);
  std::string final_value(const std::string& name, const std::vector<std::string>& splits) const;
  std::string split_of(const std::string& name, const std::vector<std::string>& splits) const;
  std::vector<std::string> splits_with(const std::string& name);
  void require_name(const std::string& value);
  void require_one_value(const std::string& item, const std::string& name);
  void require_numbers(const std::string& item, const std::string& name, const std::string& value);
  void refuse_mixture() const;

  Store& store_;
  const ShortQuery& query_;
  ChosenTrials chosen_;
  std::vector<std::string> columns_;
  std::string each_, together_;  // the first item with a value for each trial, and with one for all
  bool each_is_name_ = false;
  std::vector<std::string> values_;   // that functions are taken of, as SQL
  std::vector<std::string> metrics_;  // those that are metrics, of trials in any state
  std::vector<Reported> reported_;
  std::vector<std::string> measurements_;
};

}  // namespace rethink
