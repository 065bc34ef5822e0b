// States that follow from other trials, from sweeps, and from folders whose driver is gone.
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "results/store/store.h"

namespace rethink {

/// What a trial that needs another one may make of it.
enum class NeedState {
  met,   // it may begin, as far as this one goes
  open,  // it must wait
  lost   // it can never begin, unless somebody runs the other again
};
/// The one rule, for the scheduler and for states that are made from folders. `may_diverge`: the
/// need only has to end, as the candidates of a select do.
NeedState need_state(TrialState of_need, bool may_diverge);

/// Makes waiting, ready and blocked trials cancelled when every sweep that has them gave them up,
/// blocked when a need is lost, ready when all needs are met, else waiting. `folder` is the
/// store's: which needs may diverge stands in trial.json.
void settle_states(Store& store, const std::filesystem::path& folder);

/// Trials that are running in the database, on which nobody works any more and whose folder has a result; without
/// those of `expected`, which a run takes over by itself. `folder` is the store's.
std::vector<std::string> finished_orphans(Store& store, const std::filesystem::path& folder,
                                          const std::set<std::string>& expected = {});

/// Makes the rows of these trials say what their folders say, and the states of trials that need them.
/// A trial whose result is damaged becomes one that waits. Requires: Access::write.
void take_over(Store& store, const std::filesystem::path& folder,
               const std::vector<std::string>& orphans);

}  // namespace rethink
