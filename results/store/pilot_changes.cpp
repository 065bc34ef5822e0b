#include "results/store/pilot_changes.h"

#include <SQLiteCpp/Database.h>
#include <fmt/format.h>

#include <exception>
#include <optional>
#include <vector>

#include "core/error.h"
#include "core/store_files/trial_folder.h"
#include "core/system/kill_point.h"
#include "core/system/log.h"
#include "results/database/connection.h"
#include "results/database/database_place.h"
#include "results/database/read_aside.h"
#include "results/database/schema.h"
#include "results/database/wal_damage.h"
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

namespace {

/// Whether the index has a trial that a driver began and that had not ended when the driver died. A
/// quick look, before each command that reads.
bool has_begun_trial(const std::filesystem::path& store) {
  if (!std::filesystem::is_directory(store) || store_owner(store) || !is_store(store)) return false;
  const std::filesystem::path file = database_path(store);
  require_plain_database(file);
  if (would_leave_files(store, file)) return false;  // this user may not write it
  require_whole_wal(store, file);
  SQLite::Database database = open_read_only(file, /*busy_ms=*/0);
  return database.execAndGet("PRAGMA user_version").getInt() == static_cast<int>(kNewestFormat) &&
         has_row(statement_of(database, "SELECT 1 FROM trial_record WHERE told = ?",
                              TrialState::running));
}

bool has_left_running(const std::filesystem::path& store) {
  if (!has_begun_trial(store)) return false;
  Store index(store, Store::Access::read);
  return !left_running(index, store).empty();
}

}  // namespace

void take_in_changes_if_free(const std::filesystem::path& store, const std::string& command) {
  const bool has_pilots = !PilotSet::all(store).empty();
  try {
    if (!has_pilots && !has_left_running(store)) return;
    const std::optional<StoreLock> lock = StoreLock::try_take_briefly(store, command);
    if (!lock) return;
    Store index(store, Store::Access::write);
    take_in_pilots(index, store);
    if (!has_pilots) take_over(index, store, left_running(index, store));
  } catch (const std::exception& error) {
    // A store without pilots may be damaged or missing, which the command itself reports.
    if (!has_pilots) return;
    if (!dynamic_cast<const MachineError*>(&error)) throw;
    log_info(fmt::format("what pilots did last is not shown: {}", error.what()));
  }
}

}  // namespace rethink
