#include "results/store/finished_orphans.h"

#include "core/system/folder_lock.h"
#include "results/folders/foreign_parts.h"
#include "results/folders/stored_trial.h"
#include "results/store/settle.h"
#include "results/store/store_state.h"

namespace rethink {
namespace {

bool has_ended_by_itself(const std::filesystem::path& trial_folder) {
  return unusable_part(trial_folder).empty() &&
         std::filesystem::exists(trial_folder / "result.json") && !is_folder_locked(trial_folder);
}

}  // namespace

std::vector<std::string> finished_orphans(Store& store, const std::filesystem::path& folder,
                                          const std::set<std::string>& expected) {
  std::vector<std::string> orphans;
  SQLite::Statement running(store.database(),
                            "SELECT id FROM trial WHERE state = 'running' ORDER BY id");
  while (running.executeStep()) {
    const std::string trial = running.getColumn(0);
    if (!expected.count(trial) && has_ended_by_itself(trial_folder(folder, trial)))
      orphans.push_back(trial);
  }
  return orphans;
}

void take_over(Store& store, const std::filesystem::path& folder,
               const std::vector<std::string>& orphans) {
  if (orphans.empty()) return;
  WriteScope scope(store);
  std::vector<std::string> damaged;  // the next run of their sweep repeats them
  for (const std::string& trial : orphans) index_trial(store, folder, trial, damaged);
  settle_states(store, folder);
  scope.done();
}

}  // namespace rethink
