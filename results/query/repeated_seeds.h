// Seeds that a mean of a short query holds several times, for a note.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "results/query/run_query.h"

namespace rethink {

/// Trials of one group with equal job, configuration and seed: other trials that they need, other
/// data, imported weights or revisions make them different trials.
struct RepeatedSeeds {
  int64_t seed = 0;                      // the first one
  std::vector<std::string> trials;       // with that seed, at least two
  std::vector<std::string> differences;  // of the first two: "trials needed as init"
  int64_t count = 0;                     // seeds that are held several times
};

/// Of the trials that the functions of `query` take; none: each seed of each configuration is there
/// once. Trials that pooled_keys() tells apart count as different configurations. Throws ConfigError
/// as short_query_sql does.
std::optional<RepeatedSeeds> repeated_seeds(Store& store, const ShortQuery& query);

}  // namespace rethink
