#include "experiments/run/folder_ledger.h"

#include <fmt/format.h>
#include <time.h>

#include <algorithm>

#include "core/files/file.h"
#include "core/store_files/result_file.h"
#include "core/store_files/trial_folder.h"
#include "core/system/kill_point.h"
#include "experiments/attempt/trial_files.h"
#include "experiments/run/attempts/attempt_endings.h"
#include "experiments/run/slots.h"
#include "results/query/run_query.h"
#include "results/records/known_trials.h"
#include "results/store/ingest.h"

namespace rethink {

FolderLedger::FolderLedger(std::filesystem::path store, Store& index, const StoreLock* lock)
    : store_(std::move(store)),
      index_(index),
      lock_(lock),
      checkpoint_bytes_(largest_checkpoint(index)) {}

void FolderLedger::begin() {
  if (!open_) index_.begin();
  open_ = true;
}

void FolderLedger::commit() {
  if (!open_) return;
  kill_point("before_index_commit");
  index_.commit();
  open_ = false;
  kill_point("after_index_commit");
}

std::string FolderLedger::moved_store_text_soon() {
  constexpr int kLooks = 10;
  constexpr timespec kPause{0, 50'000'000};
  std::string text = moved_store_text();
  for (int look = 0; text.empty() && look < kLooks; ++look) {
    nanosleep(&kPause, nullptr);
    text = moved_store_text();
  }
  return text;
}

bool FolderLedger::held(const std::string& trial) {
  return has_running_worker(TrialFolder(store_, trial));
}

bool FolderLedger::unsettled(const std::string& trial) {
  const TrialFolder folder(store_, trial);
  if (std::filesystem::exists(folder.result())) return true;
  const int64_t number = last_attempt(folder);
  return number != 0 && !is_over(folder, number);
}

double FolderLedger::seconds_before(const std::string& trial) {
  return history_of(TrialFolder(store_, trial)).seconds;
}

double FolderLedger::seconds_of_last(const std::string& trial) {
  return seconds_of_last_attempt(TrialFolder(store_, trial));
}

Progress FolderLedger::progress(const std::string& trial) {
  const TrialFolder folder(store_, trial);
  Read& read = read_[trial];
  const int64_t newest = last_attempt(folder);
  if (newest > read.attempt && !is_over(folder, newest)) read = {newest};
  Progress progress;
  if (read.attempt == 0) return progress;
  if (read.line_ends.added(folder.events(read.attempt))) {
    begin();
    ingest(trial);
  }
  progress.bytes = read.line_ends.bytes();
  const auto tick = index_.progress(trial);
  if (tick && tick->attempt == read.attempt) {
    progress.resume_step = tick->resume_step;
    progress.has_ticked = true;
    progress.step = tick->step;
    progress.of = tick->of;
    progress.loss = tick->loss;
    progress.steps_per_s = tick->steps_per_s;
  }
  return progress;
}

EndedAttempt FolderLedger::close(const std::string& trial, const Ending& ending) {
  const TrialFolder folder(store_, trial);
  read_.erase(trial);
  begin();
  const bool events_good = ingest(trial);
  kill_point("after_ingest");
  // An older result may be one that `db rebuild` found to contradict its events.
  if (const auto result = has_written_it(ending) ? stored_result(folder.result())
                                                 : proved_result(folder.result())) {
    EndedAttempt left =
        judge_result(folder, *result, events_good && index_.result_reached(folder.path()), ending);
    left.warnings = warnings_of_last(trial, folder);
    return left;
  }
  EndedAttempt left = judge_without_result(folder, last_attempt(folder), ending);
  left.warnings = warnings_of_last(trial, folder);
  return left;
}

bool FolderLedger::ingest(const std::string& trial) {
  const bool good = ingest_events(index_, TrialFolder(store_, trial).path());
  checkpoint_bytes_ = std::max(checkpoint_bytes_, index_.largest_checkpoint(trial));
  return good;
}

std::vector<std::string> FolderLedger::warnings_of_last(const std::string& trial,
                                                        const TrialFolder& folder) {
  std::vector<std::string> warnings;
  // An earlier run has recorded the end of the attempt.
  if (std::filesystem::exists(folder.end(last_attempt(folder)))) return warnings;
  const QueryResult found = run_query(
      index_,
      fmt::format(
          "SELECT text FROM event WHERE trial = '{}' AND attempt = {} AND level = 'warning' "
          "ORDER BY line",
          trial, last_attempt(folder)));
  for (const auto& row : found.rows) {
    if (row.front().is_string()) warnings.push_back(row.front());
  }
  return warnings;
}

void FolderLedger::seal(const std::string& trial, const EndedAttempt& left, const Ending& ending,
                        TrialState after) {
  const TrialFolder folder(store_, trial);
  const int64_t number = last_attempt(folder);
  const auto end = write_ending(folder, number, left, ending, after);
  if (!end) return;
  begin();
  index_.put_attempt({trial, number, left.outcome, left.message, end->facts()});
}

void FolderLedger::record(const std::string& trial, TrialState state, const std::string& message) {
  begin();
  index_.set_state(trial, state, message);
}

uint64_t FolderLedger::free_bytes() {
  return free_disk_bytes(store_);
}

std::vector<int> FolderLedger::cores_of_last(const std::string& trial) {
  const auto worker = last_worker(TrialFolder(store_, trial));
  return worker ? cores_of(*worker) : std::vector<int>{};
}

std::optional<std::string> FolderLedger::gpu_of_last(const std::string& trial) {
  return gpu_of_newest_attempt(TrialFolder(store_, trial));
}

std::optional<uint64_t> FolderLedger::peak_gpu_bytes(const std::string& trial) {
  const auto measured = index_.measurements(trial);
  const auto peak = measured.find("peak_gpu_memory_bytes");
  if (peak == measured.end()) return std::nullopt;
  return static_cast<uint64_t>(peak->second);
}

}  // namespace rethink
