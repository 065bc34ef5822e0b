#include "results/store/pilot_changes.h"

#include <fmt/format.h>

#include <optional>
#include <vector>

#include "core/error.h"
#include "core/store_files/trial_folder.h"
#include "core/system/kill_point.h"
#include "core/system/log.h"
#include "results/folders/pilot_sets.h"
#include "results/folders/store_lock.h"
#include "results/folders/stored_trial.h"
#include "results/store/left_running.h"
#include "results/store/store_state.h"

namespace rethink {
void take_in_pilots(Store& index, const std::filesystem::path& store,
                    const std::set<std::string>& more) {
  std::vector<PilotSet> sets = PilotSet::all(store);
  if (sets.empty()) return;
  std::set<std::string> changed = more;
  changed.merge(begun_trials(index));
  for (PilotSet& set : sets) {
    for (std::string& trial : set.new_changes()) changed.insert(std::move(trial));
  }
  std::vector<std::string> trials, running;
  for (const std::string& trial : changed) {
    const std::filesystem::path folder = trial_folder(store, trial);
    if (!std::filesystem::exists(folder / kTrialFile)) continue;
    trials.push_back(trial);
    if (has_worker(folder)) running.push_back(trial);
  }
  {
    WriteScope scope(index);
    take_over(index, store, trials);
    for (const std::string& trial : running) {
      if (!state_from_folder(trial_folder(store, trial)).state)
        index.set_state(trial, TrialState::running);
    }
    scope.done();
  }
  kill_point("after_pilots_taken_in");
  for (const PilotSet& set : sets) set.changes_are_taken();
}

void take_in_pilots_if_free(const std::filesystem::path& store, const std::string& command) {
  if (PilotSet::all(store).empty()) return;
  try {
    const std::optional<StoreLock> lock = StoreLock::try_take(store, command);
    if (!lock) return;
    Store index(store, Store::Access::write);
    take_in_pilots(index, store);
  } catch (const MachineError& error) {
    log_info(fmt::format("what pilots did last is not shown: {}", error.what()));
  }
}

}  // namespace rethink
