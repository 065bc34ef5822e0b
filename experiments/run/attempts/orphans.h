// Handling of workers that outlived their driver and whose trials are no longer planned.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/store_files/trial_folder.h"
#include "results/store/store.h"

namespace rethink {

/// A trial whose worker has outlived its driver.
struct Orphan {
  TrialFolder folder;
  bool signalled = false;  // whether it received a signal to end
  std::string problem{};   // why it received no signal
};

struct StoppedOrphans {
  size_t stopped = 0;                          // ended by our signal
  std::map<std::string, TrialState> finished;  // done or diverged trials: their result came first
  std::vector<Orphan> going_on;  // not reachable, or not certainly workers (trial_worker.h)
};

/// Ends workers without a driver as a driver would, and reads what they wrote; `index` then has the
/// state of a trial that finished by itself. With `at_once` it only signals them, counts them as
/// stopped, and does not wait.
StoppedOrphans stop_orphans(const std::vector<Orphan>& orphans, Store& index, bool at_once);

/// Returns what was done about workers of cancelled trials, for the user; "" without such workers.
/// `stopped` is their number.
std::string orphans_text(size_t stopped, const std::vector<Orphan>& going_on);

}  // namespace rethink
