// The pilots that run trials of a store or wait in a queue, as their engines report.
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "experiments/run/pilots/pilot_plan.h"
#include "experiments/site/site.h"
#include "results/folders/pilot_sets.h"
#include "results/store/store.h"

namespace rethink {

struct StorePilot {
  std::string site, job;
  JobStatus status{};
  std::string node{};  // machine on which the pilot began; empty: it has not begun
};

/// Returns "runs on n1" or "waits (Priority)".
std::string to_text(const StorePilot& pilot);
/// Returns "pilots of site a100: 123 runs on n1, 124 waits (Priority)", one line per site; "" without pilots.
std::string to_text(const std::vector<StorePilot>& pilots);

/// Returns why a process other than a pilot may not run `trials` of the store; "" if it may. Either pilots that have
/// not ended, or whose queue does not answer, have the trials in their plan. Or a worker of another machine has claimed
/// one of them and wrote within the last two minutes. Requires: this process holds the store's lock, and the index has
/// what pilots changed.
std::string reason_to_leave_to_pilots(const std::filesystem::path& store, Store& index,
                                      const std::set<std::string>& trials);

/// Asks the queue of each site once for the jobs of all `sets`. The states of single sets are then cached until the
/// engine may ask again.
void ask_queues(Engines& engines, const std::vector<PilotSet>& sets);

/// Returns the plan of a set's pilots. If the plan is damaged and all pilots have ended, returns a plan without
/// trials; if a pilot may still use it, throws ConfigError.
PilotPlan plan_of_set(const PilotSet& set, Engines& engines);

/// Takes waiting pilots of the set out of their queue if none of the trials in their plan is left to run, and returns how
/// many. Running pilots end by themselves. Throws as Engine::cancel.
size_t cancel_waiting(const PilotSet& set, const PilotPlan& plan, Store& index, Engines& engines);
/// Does the same for all sets of the store. A queue that cannot be reached causes a warning.
size_t cancel_waiting_pilots(const std::filesystem::path& store, Store& index);

class StorePilots {
 public:
  /// Returns the pilots that have not ended. Cost: one question to each site's queue, as often as its engine asks.
  std::vector<StorePilot> look(const std::filesystem::path& store);

 private:
  Engines engines_;
};

}  // namespace rethink
