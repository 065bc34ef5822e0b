// The done trials of one job in a store, for what `plan` says about a trial that would run.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/config/schema.h"
#include "core/json.h"
#include "experiments/attempt/trial.h"
#include "results/query/known_trials.h"

namespace rethink {

/// Changes that are named; of more only the number.
constexpr size_t kChangesShown = 3;

/// What a trial rests on besides its configuration.
struct Provenance {
  Json revisions, data;
};

/// Compares the done trials of a job with those that the store does not have: by what stands in an
/// identity, whatever their other options say.
class KnownJob {
 public:
  KnownJob(Store& store, const std::string& job, const Schema& schema);

  /// Why a done trial of the same configuration does not count; "" when there is none.
  std::string stale_because(const Trial& trial);

  /// Those of the same configuration, whatever their seeds.
  const std::vector<const KnownTrial*>& alike(const Trial& trial);

  /// The one among `ids` whose identity differs least, in `most` values at the utmost: options, seed,
  /// needs, imported weights, data and revisions, as `diff` counts them. `of` is said behind its id.
  /// "" when there is none.
  std::string nearest_to(const Trial& trial, const std::set<std::string>& ids, size_t most,
                         const std::string& of);

 private:
  const Json& identity_of(const KnownTrial& trial);
  const Json& parts_of(const KnownTrial& known);

  Store& store_;
  const Schema& schema_;
  const PluginSchema& job_;
  std::vector<KnownTrial> trials_;
  std::optional<std::map<std::string, std::map<std::string, std::vector<std::string>>>> needs_;
  std::unordered_map<std::string, Json> parts_;  // of identities beside the options, by id
  std::map<std::pair<std::string, std::string>, Provenance> provenances_;  // by their texts
  std::unordered_map<std::string_view, Json> identities_;  // by the texts of configurations
  std::unordered_map<std::string, std::vector<const KnownTrial*>> by_identity_;
};

}  // namespace rethink
