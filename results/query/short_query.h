// The short form `rethink query --where E --by K --show E`: its SQL, and the trials that its
// functions average together.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/trial_state.h"
#include "results/store/store.h"

namespace rethink {

/// A short query. With `by` it has one row per group; trials without any of the keys are in no group. Without `by` it
/// has one row per trial if `show` has bare values, and one row if `show` has functions of values, such as
/// mean_ci(dev/mcc), n or diverged; a mixture is refused. A bare value of a group is the mean, for a key in `by` the
/// key. A trial counts once in a group, whatever is shown. A function leaves out metrics of trials that are not done
/// (sql_expressions.h).
///   functions  mean sd sem ci95 median iqm min max n mean_ci
///   values     SPLIT/NAME: the metric's last value, or NAME@last if it exists; for NAME@tail see
///              sql_expressions.h. NAME: the same for the reported split (test, else dev, else train).
///              Also a measurement's name, and a name of where.h. n alone counts the values of the
///              column before it, or trials if there is none. diverged counts diverged trials, and is
///              added if a function leaves some out.
struct ShortQuery {
  std::string where;
  std::vector<std::string> by, show;
  bool takes_unfinished = false;         // functions leave out the metrics of diverged trials only
  double scale = 1;                      // factor of shown metrics and measurements
  std::optional<int64_t> decimals = {};  // decimals of mean_ci's text; none: by its interval
};

/// Returns the SQL of a short query. Throws ConfigError for unknown names or functions, lists of
/// more than 100 items, and a function of a label of which a trial has several values.
std::string short_query_sql(Store& store, const ShortQuery& query);

/// A key outside `by` that differs among trials of one group.
struct PooledKey {
  std::string key;
  int64_t values = 0;  // in the group with most
};
/// Returns the keys that differ among trials that functions average, for trials with a shown value;
/// none without a value. Throws ConfigError as short_query_sql does.
std::vector<PooledKey> pooled_keys(Store& store, const ShortQuery& query);

/// Returns the trials with a shown metric that functions leave out because they are neither done
/// nor diverged. Throws as pooled_keys.
TrialCounts unfinished_trials(Store& store, const ShortQuery& query);

/// Returns the trials whose earlier result functions use, since they ended without a result when
/// they ran again for their files; by the state in which they ended. Throws as pooled_keys.
TrialCounts kept_results(Store& store, const ShortQuery& query);

/// Returns profiles over which the functions of a short query average, if no profile has all trials
/// of some group; "" otherwise. Trials in no sweep have no profile. Throws as pooled_keys.
std::vector<std::string> mixed_profiles(Store& store, const ShortQuery& query);

/// A metric named without its split.
struct MixedSplits {
  std::string metric;
  std::vector<std::pair<std::string, int64_t>> trials;  // by split
};
/// Returns the metrics for which a function uses one split of some trials of a group and another
/// split of others. Throws as pooled_keys.
std::vector<MixedSplits> mixed_splits(Store& store, const ShortQuery& query);

/// Trials of one group with equal job, seed and configuration, except for the snapshot of a program's code. They are
/// different trials, since their code, needed trials, data, imported weights or revisions differ.
struct RepeatedSeeds {
  int64_t seed = 0;                      // first repeated seed
  std::vector<std::string> trials;       // trials with this seed, at least two
  std::vector<std::string> differences;  // of the first two: "trials needed as init"
  std::string snapshot =
      {};             // hash of the first trial's code if the second has other code; or empty
  int64_t count = 0;  // number of repeated seeds
  // Of the mean with these trials, for their configuration.
  int64_t trials_in_mean = 0, seeds_in_mean = 0;
};

/// Returns such trials among those that the functions of `query` use; none if each seed of each
/// configuration occurs once. Trials that pooled_keys() distinguishes count as different
/// configurations. Throws ConfigError as short_query_sql does.
std::optional<RepeatedSeeds> repeated_seeds(Store& store, const ShortQuery& query);

}  // namespace rethink
