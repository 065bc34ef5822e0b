// The folder of a trial, which is the truth about it: who may write what, and how it is read.
//
//   trials/<id>/trial.json      by the driver, before the first attempt
//               lock            by attempts: held while one works (core/system/lock.h); its text
//                               says who
//               attempt-<n>/events.jsonl, log    by attempt n
//               attempt-<n>/end.json             by the driver: how it ended (results)
//               checkpoints/, artifacts/         by attempts
//               repetition/     by attempts beside an old result: artifacts that have yet to prove equal
//               result.json     by the attempt that ended the trial: it is done or diverged
//               old_result.json by the driver: the result of a trial that is run again
//
// core/format/result_file.h has the format of result.json.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/json.h"
#include "core/system/process.h"
#include "experiments/attempt/job.h"

namespace rethink {

class TrialFolder {
 public:
  explicit TrialFolder(std::filesystem::path path) : path_(std::move(path)) {}
  TrialFolder(const std::filesystem::path& store, const std::string& id)
      : path_(store / "trials" / id) {}

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path store() const { return path_.parent_path().parent_path(); }
  std::filesystem::path trial() const { return path_ / "trial.json"; }
  std::filesystem::path lock() const { return path_ / "lock"; }
  std::filesystem::path result() const { return path_ / "result.json"; }
  std::filesystem::path old_result() const { return path_ / "old_result.json"; }
  std::filesystem::path checkpoints() const { return path_ / "checkpoints"; }
  std::filesystem::path artifacts() const { return path_ / "artifacts"; }
  std::filesystem::path repetition() const { return path_ / "repetition"; }
  std::filesystem::path attempt(int64_t number) const {
    return path_ / ("attempt-" + std::to_string(number));
  }
  std::filesystem::path events(int64_t number) const { return attempt(number) / "events.jsonl"; }
  std::filesystem::path log(int64_t number) const { return attempt(number) / "log"; }
  std::filesystem::path end(int64_t number) const { return attempt(number) / "end.json"; }

  /// Numbers of the attempts there are, rising.
  std::vector<int64_t> attempts() const;

 private:
  std::filesystem::path path_;
};

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

}  // namespace rethink
