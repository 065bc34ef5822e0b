// Reads and writes the files of a trial, for drivers and attempts (core/format/trial_folder.h).
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/format/trial_folder.h"
#include "core/json.h"
#include "core/system/process.h"
#include "experiments/attempt/job.h"

namespace rethink {

/// Writes trial.json unless it says the same already. Atomic, not durable: a driver writes many and
/// then calls sync_disk once, before it starts any of them. Throws MachineError.
void write_trial(const TrialFolder& folder, const Trial& trial);

/// result.json; nothing when there is none. Throws ConfigError, with what helps, when it is damaged.
std::optional<Json> read_result(const TrialFolder& folder);
/// The artifacts that a result lists.
std::vector<Artifact> artifacts_of(const Json& result, const TrialFolder& folder);
/// As result.json has it; `folder` is what its path is relative to.
Json to_json(const Artifact& artifact, const std::filesystem::path& folder);

/// Removes the checkpoints of a trial that has its result; the attempt does so itself unless it is
/// killed just before. Throws DamagedFile when their folder is a link.
void remove_checkpoints(const TrialFolder& folder);

/// Sets result.json aside so that the trial runs again and must come to the same weights. Durable.
void run_again(const TrialFolder& folder);
/// Moves the files of a repetition to `artifacts`, in place of the earlier ones of the same names, to which they
/// are equal: a kill half way leaves some of either. Not durable.
void take_files_of_repetition(const TrialFolder& folder);
/// Removes a damaged result.json, of which nothing can be trusted: the trial runs again. Durable.
void remove_damaged_result(const TrialFolder& folder);

/// Whether a process works on the trial now: its lock is held.
bool is_being_worked_on(const TrialFolder& folder);
/// Who does, or did last; none before the first attempt, and where the lock does not say. Of a
/// worker whose lock file was removed or replaced the start event of the newest attempt tells.
std::optional<ProcessIdentity> last_worker(const TrialFolder& folder);
/// The UUID of the GPU that the newest attempt was given; none of one on a CPU, and where its start event is
/// not there.
std::optional<std::string> gpu_of_newest_attempt(const TrialFolder& folder);

}  // namespace rethink
