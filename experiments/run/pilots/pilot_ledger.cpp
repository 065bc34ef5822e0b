#include "experiments/run/pilots/pilot_ledger.h"

#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>

#include "core/error.h"
#include "core/files/file.h"
#include "core/files/named_file.h"
#include "core/json.h"
#include "core/store_files/event.h"
#include "core/store_files/result_file.h"
#include "core/store_files/store_folder.h"
#include "core/system/kill_point.h"
#include "core/system/process.h"
#include "experiments/attempt/trial_files.h"
#include "experiments/run/attempts/attempt_endings.h"
#include "experiments/run/attempts/attempt_history.h"
#include "results/folders/stored_trial.h"

namespace rethink {
namespace {

/// Ticks come every 10 s, and a network file system shows them late.
constexpr double kLongestSilence_s = 120;

/// The machine that made the last checkpoint; empty: no checkpoint, or not recorded.
std::string machine_of(const TrialFolder& folder, const History& history) {
  if (history.checkpoint_of == 0) return "";
  const std::optional<Lease> lease = read_lease(folder.attempt(history.checkpoint_of));
  return lease ? lease->node : "";
}

template <typename T>
std::optional<T> member_of(const Json& event, const char* name) {
  const auto value = event.find(name);
  return value == event.end() || value->is_null() ? std::nullopt
                                                  : std::optional<T>(value->get<T>());
}

}  // namespace

PilotLedger::PilotLedger(std::filesystem::path store, std::string job, int restart,
                         std::filesystem::path changes, HasEnded has_ended,
                         std::function<double()> now)
    : store_(std::move(store)),
      job_(std::move(job)),
      restart_(restart),
      changes_(std::move(changes)),
      has_ended_(std::move(has_ended)),
      now_(std::move(now)) {}

TrialLook PilotLedger::look(const std::string& trial) {
  const TrialFolder folder(store_, trial);
  if (const FolderState found = state_from_folder(folder.path()); found.state)
    return {.kind = TrialLook::Kind::ended, .state = *found.state};
  const int64_t attempt = last_attempt(folder);
  const bool is_free = attempt == 0 || is_over(folder, attempt);
  if (is_free && is_stop_written(folder.path()))
    return {.kind = TrialLook::Kind::ended, .state = TrialState::cancelled};
  if (is_free) {
    const History history = history_of(folder);
    return {.kind = TrialLook::Kind::mine,
            .charged = history.charged,
            .fruitless_s = history.fruitless_s,
            .begun_on = machine_of(folder, history)};
  }
  return {.kind = is_alive(folder, attempt) ? TrialLook::Kind::elsewhere
                                            : TrialLook::Kind::left_behind};
}

std::string PilotLedger::begun_on(const std::string& trial) const {
  const TrialFolder folder(store_, trial);
  return machine_of(folder, history_of(folder));
}

bool PilotLedger::is_alive(const TrialFolder& folder, int64_t attempt) {
  const std::optional<Lease> lease = read_lease(folder.attempt(attempt));
  const std::optional<ProcessIdentity> worker =
      lease ? std::optional(lease->worker) : last_worker(folder);
  if (worker && worker->boot_id == boot_id()) return has_running_worker(folder);
  // The worker is on another machine, whose locks may be invisible here. Neither the queue's answer nor silence alone
  // proves that the worker is dead.
  if (has_running_worker(folder) || !is_silent(folder, attempt)) return true;
  return lease && !has_ended_(*lease);
}

/// Returns whether the worker is on another machine and its job has ended, so that only its silence is still to prove.
bool PilotLedger::may_be_dead(const std::string& trial) {
  const TrialFolder folder(store_, trial);
  const int64_t attempt = last_attempt(folder);
  if (attempt == 0 || has_running_worker(folder)) return false;
  const std::optional<Lease> lease = read_lease(folder.attempt(attempt));
  return !lease || has_ended_(*lease);
}

/// Returns whether the attempt wrote no event while this pilot watched it long enough.
bool PilotLedger::is_silent(const TrialFolder& folder, int64_t attempt) {
  std::error_code missing;
  const uintmax_t size = std::filesystem::file_size(folder.events(attempt), missing);
  const uint64_t bytes = missing ? 0 : size;
  const auto [silence, is_new] = silences_.try_emplace(folder.attempt(attempt));
  if (is_new || silence->second.bytes != bytes) silence->second = {bytes, now_()};
  return now_() - silence->second.since_s > kLongestSilence_s;
}

std::optional<AttemptClaim> PilotLedger::claim(const std::string& trial) {
  const int64_t attempt = next_attempt(TrialFolder(store_, trial));
  read_[trial] = Read{.attempt = attempt};
  return AttemptClaim{.attempt = attempt, .job = job_, .restart = restart_};
}

std::string PilotLedger::moved_store_text() {
  if (!is_surely_missing(store_ / kUuidFile)) return "";
  return fmt::format("{}: was moved or removed while a pilot worked on it", store_.string());
}

double PilotLedger::seconds_before(const std::string& trial) {
  return history_of(TrialFolder(store_, trial)).seconds;
}

double PilotLedger::seconds_of_last(const std::string& trial) {
  return seconds_of_last_attempt(TrialFolder(store_, trial));
}

bool PilotLedger::is_ours(const TrialFolder& folder, int64_t attempt) const {
  const std::optional<Lease> lease = read_lease(folder.attempt(attempt));
  return lease && lease->job == job_ && lease->restart == restart_;
}

Progress PilotLedger::progress(const std::string& trial) {
  const auto read = read_.find(trial);
  if (read == read_.end()) return {};
  read_events_of(TrialFolder(store_, trial), read->second);
  return read->second.progress;
}

void PilotLedger::read_events_of(const TrialFolder& folder, Read& read) {
  const std::filesystem::path events = folder.events(read.attempt);
  std::error_code missing;
  const uintmax_t bytes = std::filesystem::file_size(events, missing);
  if (missing || bytes == read.progress.bytes || !is_ours(folder, read.attempt)) return;
  read.progress.bytes = bytes;
  if (!read.line_ends.added(events)) return;
  read.offset =
      read_events(events, read.offset, [&](const Json& event) { take_event(event, read); }).offset;
}

void PilotLedger::take_event(const Json& event, Read& read) {
  const EventKind kind = event_kind(event);
  if (kind == EventKind::start) read.progress.resume_step = resume_step_of(event).value_or(0);
  if (kind == EventKind::checkpoint)
    checkpoint_bytes_ =
        std::max(checkpoint_bytes_, member_of<uint64_t>(event, "bytes").value_or(0));
  if (kind == EventKind::measurement && event.at("name") == "peak_gpu_memory_bytes" &&
      event.at("value").is_number())
    read.peak_gpu_bytes = static_cast<uint64_t>(event.at("value").get<double>());
  if (kind == EventKind::message && event.value("level", "") == "warning")
    read.warnings.push_back(event.value("text", ""));
  if (kind != EventKind::tick) return;
  read.progress.has_ticked = true;
  read.progress.step = event.at("step");
  read.progress.of = event.value("of", int64_t{0});
  const auto loss = event.find("loss");
  read.progress.loss =
      loss != event.end() && loss->is_number() ? std::optional(loss->get<double>()) : std::nullopt;
  read.progress.steps_per_s = member_of<double>(event, "steps_per_s");
}

int64_t PilotLedger::attempt_of(const std::string& trial, const TrialFolder& folder,
                                const Ending& ending) const {
  if (ending.driver_gone) return last_attempt(folder);
  const auto read = read_.find(trial);
  if (read == read_.end() || !is_ours(folder, read->second.attempt)) return 0;
  return read->second.attempt;
}

EndedAttempt PilotLedger::close(const std::string& trial, const Ending& ending) {
  const TrialFolder folder(store_, trial);
  const int64_t attempt = attempt_of(trial, folder, ending);
  Read& read = read_[trial];
  if (!ending.driver_gone) read_events_of(folder, read);
  EndedAttempt left;
  if (attempt == 0 && std::filesystem::exists(folder.result())) {
    // Another pilot's result is not judged, since the attempt behind it may not be seen here yet.
    left.outcome = AttemptOutcome::fenced;
    left.free = true;
  } else if (const auto result = has_written_it(ending) ? stored_result(folder.result())
                                                        : proved_result(folder.result())) {
    const bool has_all_events =
        result->is_sound() && result_events_are_whole(folder.path(), result->object);
    left = judge_result(folder, *result, has_all_events, ending);
  } else {
    left = judge_without_result(folder, attempt, ending);
  }
  left.warnings = std::move(read.warnings);
  return left;
}

void PilotLedger::seal(const std::string& trial, const EndedAttempt& left, const Ending& ending,
                       TrialState after) {
  const TrialFolder folder(store_, trial);
  write_ending(folder, attempt_of(trial, folder, ending), left, ending, after);
}

/// Records changes of this pilot's trials only; other pilots record theirs.
void PilotLedger::record(const std::string& trial, TrialState /*state*/,
                         const std::string& /*message*/) {
  if (!read_.contains(trial)) return;
  write_all(open_file(changes_, O_WRONLY | O_CREAT | O_APPEND).get(), trial + "\n", changes_);
  kill_point("after_pilot_change");
}

uint64_t PilotLedger::free_bytes() {
  return free_disk_bytes(store_);
}

std::optional<uint64_t> PilotLedger::peak_gpu_bytes(const std::string& trial) {
  const auto read = read_.find(trial);
  return read == read_.end() ? std::nullopt : read->second.peak_gpu_bytes;
}

}  // namespace rethink
