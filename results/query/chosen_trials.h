// SQL table of the trials that a short query keeps: one row for each trial and group.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "results/query/where.h"

namespace rethink {

/// The longest list that --by or --show takes: SQLite's functions take 127 arguments.
constexpr size_t kMostListed = 100;

class ChosenTrials {
 public:
  /// Throws ConfigError: more than kMostListed keys in `by`.
  ChosenTrials(Store& store, std::string where, std::vector<std::string> by);

  /// SQL of the value that row `c` of `chosen` has under a name of where.h. A trial in several
  /// sweeps may have several labels of a name that is not in `by`: then text that lists them.
  /// Throws ConfigError: unknown name.
  std::string value(const std::string& name);

  /// Whether `name` is one of `by`, so that all trials of a group have the same value.
  bool is_key(const std::string& name) const;

  /// "WITH ... chosen AS (...)\n", with the columns trial, _job, _state and one for each of `by` and
  /// of the names that value() was given. Trials that have none of the keys in `by` are left out. A
  /// trial that has a key in one sweep and lacks it in another is in the group with the key alone.
  /// `more`: further columns over `trial t`, as ", SQL AS k0". Throws ConfigError: mistakes in
  /// `where`, unknown names.
  std::string sql(const std::string& more = "") const;

  /// SQL of the groups' columns: "c.b0, c.b1"; empty without `by`.
  std::string groups() const;
  /// Returns the same without those in `others`, named as in `by`, for a SELECT.
  std::string named_groups(const std::vector<std::string>& others) const;
  /// Returns the same for ORDER BY: numbers as numbers.
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
