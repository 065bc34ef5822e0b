#include "results/store/left_running.h"

#include "core/files/file.h"
#include "core/files/lock.h"
#include "core/json.h"
#include "core/store_files/lease.h"
#include "core/store_files/trial_folder.h"
#include "core/system/process.h"
#include "results/database/statement.h"
#include "results/folders/foreign_parts.h"
#include "results/folders/stored_trial.h"
#include "results/store/rebuild.h"
#include "results/store/store_state.h"

namespace rethink {

namespace {

bool has_no_worker(const std::filesystem::path& trial_folder) {
  return unusable_part(trial_folder).empty() && !has_worker(trial_folder);
}

}  // namespace

bool has_worker_elsewhere(const std::filesystem::path& trial_folder) {
  const TrialFolder folder(trial_folder);
  const std::vector<int64_t> attempts = folder.attempts();
  if (attempts.empty() || std::filesystem::exists(folder.end(attempts.back()))) return false;
  const std::optional<Lease> lease = read_lease(folder.attempt(attempts.back()));
  return lease && lease->worker.boot_id != boot_id() && !std::filesystem::exists(folder.result());
}

bool has_worker(const std::filesystem::path& trial_folder) {
  return is_folder_locked(trial_folder) || has_worker_elsewhere(trial_folder);
}

std::set<std::string> begun_trials(Store& store) {
  const std::vector<std::string> begun =
      texts_of(store.database(), "SELECT id FROM trial_record WHERE told = ?", TrialState::running);
  return {begun.begin(), begun.end()};
}

std::vector<std::string> left_running(Store& store, const std::filesystem::path& folder,
                                      const std::set<std::string>& expected) {
  std::vector<std::string> left;
  for (const std::string& trial : begun_trials(store)) {
    if (!expected.count(trial) && has_no_worker(trial_folder(folder, trial))) left.push_back(trial);
  }
  return left;
}

std::set<std::string> workers_without_driver(Store& store, const std::filesystem::path& folder) {
  std::set<std::string> found;
  SQLite::Statement begun =
      statement_of(store.database(),
                   "SELECT id FROM trial_record WHERE told = ? UNION SELECT a.trial FROM attempt a "
                   "JOIN trial_record t ON t.id = a.trial WHERE a.outcome = '' AND (t.told IS NULL "
                   "OR t.told = ?)",
                   TrialState::running, TrialState::cancelled);
  while (begun.executeStep()) {
    const std::string trial = begun.getColumn(0);
    const std::filesystem::path place = trial_folder(folder, trial);
    if (unusable_part(place).empty() && has_worker(place)) found.insert(trial);
  }
  return found;
}

void take_over(Store& store, const std::filesystem::path& folder,
               const std::vector<std::string>& trials) {
  if (trials.empty()) return;
  WriteScope scope(store);
  std::vector<std::string> damaged;  // the next run of their sweep repeats these trials
  for (const std::string& trial : trials) {
    store.set_state(trial, TrialState::waiting);
    index_trial(store, folder, trial, damaged);
  }
  scope.done();
}

}  // namespace rethink
