// The short form `rethink query --where E --by K --show E`: its SQL, and which trials its functions
// average together.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/trial_state.h"
#include "results/store/store.h"

namespace rethink {

/// With `by` one row per group; trials that have none of its keys are in no group. Without it one
/// row per trial where `show` holds bare values, and one row where it holds functions of values, such
/// as mean_ci(dev/mcc), n or diverged; both together are refused. A bare value of a group is the
/// mean, of a key in `by` that key. A trial counts once in a group, whatever is shown. A function
/// leaves out the metrics of trials that are not done (sql_expressions.h).
///   functions  mean sd sem ci95 median iqm min max n mean_ci
///   values     SPLIT/NAME (the metric's last value, of NAME@last where there is one; of NAME@tail
///              sql_expressions.h), NAME (the same of the reported split: test, else dev, else train), a
///              measurement's name, a name of where.h; n alone counts the values of what stands
///              before it, or trials where no value does; diverged counts trials that diverged, and
///              is added where a function leaves some out
struct ShortQuery {
  std::string where;
  std::vector<std::string> by, show;
  bool takes_unfinished = false;  // functions leave out the metrics of diverged trials only
  double scale = 1;               // metrics and measurements are shown so many times what they are
  std::optional<int64_t> decimals = {};  // of mean_ci's text; none: as its interval asks for
};

/// The SQL of a short query. Throws ConfigError: unknown names or functions; lists of more than 100
/// items; a function of a label of which a trial has several values.
std::string short_query_sql(Store& store, const ShortQuery& query);

/// A key outside `by` that differs among trials of one group.
struct PooledKey {
  std::string key;
  int64_t values = 0;  // of the group with the most
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

/// Trials of one group with equal job, configuration and seed: other trials that they need, other
/// data, imported weights or revisions make them different trials.
struct RepeatedSeeds {
  int64_t seed = 0;                      // the first one
  std::vector<std::string> trials;       // with that seed, at least two
  std::vector<std::string> differences;  // of the first two: "trials needed as init"
  int64_t count = 0;                     // seeds that are held several times
};

/// Returns such trials among those that the functions of `query` use; none if each seed of each
/// configuration occurs once. Trials that pooled_keys() distinguishes count as different
/// configurations. Throws ConfigError as short_query_sql does.
std::optional<RepeatedSeeds> repeated_seeds(Store& store, const ShortQuery& query);

}  // namespace rethink
