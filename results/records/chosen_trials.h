// SQL table of the trials that a short query keeps: one row for each trial and group.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "results/query/where.h"

namespace rethink {

/// Limit on --by and --show, since SQLite's functions take at most 127 arguments.
constexpr size_t kMostListed = 100;

class ChosenTrials {
 public:
  /// Throws ConfigError: more than kMostListed keys in `by`.
  ChosenTrials(Store& store, std::string where, std::vector<std::string> by);

  /// Returns SQL for the value of row `c` of `chosen` under a name of where.h. If `name` is not in
  /// `by`, a trial in several sweeps may have several labels of this name; the value is then text
  /// that lists them. Throws ConfigError for an unknown name.
  std::string value(const std::string& name);

  /// Returns whether `name` is one of `by`, so that all trials of a group have the same value.
  bool is_key(const std::string& name) const;

  /// Returns "WITH ... chosen AS (...)\n". Its columns are trial, _job, _state, one for each of
  /// `by` and one for each name passed to value(). Trials without any key in `by` are left out. A
  /// trial that has a key in one sweep and lacks it in another is only in the group with the key.
  /// `more` has further columns over `trial t`, such as ", SQL AS k0". Throws ConfigError for
  /// mistakes in `where` and unknown names.
  std::string sql(const std::string& more = "") const;

  /// Returns SQL for the groups' columns: "c.b0, c.b1"; empty without `by`.
  std::string groups() const;
  /// Returns the groups' columns without the keys in `others`, named as in `by`, for a SELECT.
  std::string named_groups(const std::vector<std::string>& others) const;
  /// Returns the groups' columns for ORDER BY, where numbers are sorted as numbers.
  std::string order() const;

  /// A trial that has several values of `name` within one group.
  struct Ambiguous {
    std::string trial, values;
  };
  std::optional<Ambiguous> ambiguous(const std::string& name);

 private:
  bool may_lack_a_key() const;

  Store& store_;
  QueryNames names_;
  std::string where_;
  std::vector<std::string> by_, others_;
};

}  // namespace rethink
