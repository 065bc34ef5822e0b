// Reads and writes the files of a trial, for drivers and attempts (core/store_files/trial_folder.h).
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/json.h"
#include "core/store_files/trial_folder.h"
#include "core/system/process.h"
#include "experiments/attempt/job.h"

namespace rethink {

/// Writes trial.json unless it has the same contents already. Atomic but not durable: a driver
/// writes many files and then calls sync_disk once, before it starts any trial. Throws
/// MachineError.
void write_trial(const TrialFolder& folder, const Trial& trial);

/// Returns result.json; nothing if it is missing. Throws ConfigError, with what helps, if it is
/// damaged.
std::optional<Json> read_result(const TrialFolder& folder);
/// Returns the artifacts that a result lists.
std::vector<Artifact> artifacts_of(const Json& result, const TrialFolder& folder);
/// Returns the form in result.json. Its path is relative to `folder`.
Json to_json(const Artifact& artifact, const std::filesystem::path& folder);

/// Removes the checkpoints of a trial with a result. The attempt does so itself unless it is killed
/// just before. Throws DamagedFile if their folder is a link.
void remove_checkpoints(const TrialFolder& folder);

/// Sets result.json aside, so that the trial runs again and must reach the same weights. Durable.
void run_again(const TrialFolder& folder);
/// Moves the files of a repetition to `artifacts`, where they replace equal files of the same
/// names. A kill half way leaves a mixture of equal files. Not durable.
void take_files_of_repetition(const TrialFolder& folder);
/// Removes a damaged result.json, which cannot be trusted, so that the trial runs again. Durable.
void remove_damaged_result(const TrialFolder& folder);

/// Returns the number of the next attempt: one more than the highest number in use. A result that is
/// set aside uses its attempt's number, even if the attempt's folder is missing.
int64_t next_attempt(const TrialFolder& folder);

/// Another machine took this attempt for dead and began another attempt of the trial.
struct FencedError : Error {
  using Error::Error;
};
/// Throws FencedError if the trial has an attempt after `number`. Only the newest attempt may publish.
void require_newest_attempt(const TrialFolder& folder, int64_t number);

/// Returns whether a process runs the trial now: its lock is held.
bool has_running_worker(const TrialFolder& folder);
/// Returns the process that runs the trial, or ran it last; nothing before the first attempt, and
/// if the lock does not say. If the worker's lock file was removed or replaced, the start event of
/// the newest attempt counts.
std::optional<ProcessIdentity> last_worker(const TrialFolder& folder);
/// Returns the UUID of the newest attempt's GPU; nothing on a CPU, and without its start event.
std::optional<std::string> gpu_of_newest_attempt(const TrialFolder& folder);

}  // namespace rethink
