// The folder of a trial, which is the truth about it: the names in it, and who writes what.
//
//   trials/<id>/trial.json      by the driver, before the first attempt
//               lock            by attempts: held while one works (core/files/lock.h); its text
//                               says who
//               attempt-<n>/events.jsonl, log    by attempt n
//               attempt-<n>/stderr  by attempt n of a user's program that wrote to standard error
//               attempt-<n>/end.json             by the driver: how it ended
//               checkpoints/, artifacts/         by attempts
//               repetition/     by attempts beside an old result: artifacts that have yet to prove equal
//               result.json     by the attempt that ended the trial: it is done or diverged
//               old_result.json by the driver: the result of a trial that is run again
//               state.json      by the driver: failed or cancelled, which is in no other file
//               stop            by drivers and users: no sweep wants the trial any more; pilots look for it
//               attempt-<n>/lease.json           by a pilot's worker (core/store_files/lease.h)
//               attempt-<n>/work, scratch, said.jsonl, config.json, stop   of a user's program while it
//                               runs (experiments/attempt/command/program_trial.h)
//               scores.json     by the driver: scores from outside (results/folders/outside_scores.h)
//
// core/store_files/result_file.h has the format of result.json, core/store_files/attempt_end.h that of end.json,
// results/folders/stored_trial.h those of trial.json and state.json.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/json_fwd.h"

namespace rethink {

/// Number of hex digits of a trial's id.
constexpr size_t kIdDigits = 20;

/// Folder of a store with a folder for each trial.
constexpr const char* kTrialsFolder = "trials";

// Names in a trial's folder.
constexpr const char* kTrialFile = "trial.json";
constexpr const char* kTrialLock = "lock";
constexpr const char* kResultFile = "result.json";
constexpr const char* kOldResultFile = "old_result.json";
constexpr const char* kStateFile = "state.json";
constexpr const char* kScoresFile = "scores.json";
constexpr const char* kCheckpointsFolder = "checkpoints";
constexpr const char* kArtifactsFolder = "artifacts";
constexpr const char* kRepetitionFolder = "repetition";
constexpr const char* kStopFile = "stop";
constexpr std::string_view kClaimPrefix = ".claim-";  // of folders that become an attempt's

constexpr std::string_view kAttemptPrefix = "attempt-";
// Names in an attempt's folder.
constexpr const char* kEventsFile = "events.jsonl";
constexpr const char* kLogFile = "log";
constexpr const char* kErrorsFile = "stderr";
constexpr const char* kEndFile = "end.json";
constexpr const char* kLeaseFile = "lease.json";
// The same while a user's program runs; kProgramStop asks the program to stop.
constexpr const char* kProgramCode = "work";
constexpr const char* kProgramScratch = "scratch";
constexpr const char* kProgramEvents = "said.jsonl";
constexpr const char* kProgramConfig = "config.json";
constexpr const char* kProgramStop = "stop";

/// Folder of a store with the code of users' programs, a folder for each snapshot.
constexpr const char* kCodeFolder = "code";

/// store/trials
std::filesystem::path trials_folder(const std::filesystem::path& store);
/// store/trials/<trial>
std::filesystem::path trial_folder(const std::filesystem::path& store, const std::string& trial);

class TrialFolder {
 public:
  explicit TrialFolder(std::filesystem::path path) : path_(std::move(path)) {}
  TrialFolder(const std::filesystem::path& store, const std::string& id)
      : path_(trial_folder(store, id)) {}

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path store() const { return path_.parent_path().parent_path(); }
  std::filesystem::path trial() const { return path_ / kTrialFile; }
  std::filesystem::path lock() const { return path_ / kTrialLock; }
  std::filesystem::path result() const { return path_ / kResultFile; }
  std::filesystem::path old_result() const { return path_ / kOldResultFile; }
  std::filesystem::path checkpoints() const { return path_ / kCheckpointsFolder; }
  std::filesystem::path artifacts() const { return path_ / kArtifactsFolder; }
  std::filesystem::path repetition() const { return path_ / kRepetitionFolder; }
  std::filesystem::path attempt(int64_t number) const;
  std::filesystem::path events(int64_t number) const { return attempt(number) / kEventsFile; }
  std::filesystem::path log(int64_t number) const { return attempt(number) / kLogFile; }
  std::filesystem::path errors(int64_t number) const { return attempt(number) / kErrorsFile; }
  std::filesystem::path end(int64_t number) const { return attempt(number) / kEndFile; }

  /// Returns the numbers of the attempts in rising order; none if the folder may not be read.
  std::vector<int64_t> attempts() const;

 private:
  std::filesystem::path path_;
};

/// Returns (1, "trials/<id>/attempt-1"), ... in order. Returns nothing if the trial's folder is a
/// link or not a folder. Throws as entries_of if it may not be read.
std::map<int64_t, std::filesystem::path> attempt_folders(const std::filesystem::path& trial_folder);
/// Returns (1, "trials/<id>/attempt-1/events.jsonl"), ... in the same way, whether the files exist
/// or not.
std::map<int64_t, std::filesystem::path> event_files(const std::filesystem::path& trial_folder);

/// Returns 7 for "attempt-7" with the prefix "attempt-". Returns nothing for any other name, such
/// as "attempt-07", which no reader would find by its number.
std::optional<int64_t> number_in_name(std::string_view name, std::string_view prefix);

/// Returns what is wrong with the members "trial" and "attempt" of an object in an attempt's folder
/// trials/<id>/attempt-<n>: "got ..., expected the trial of its folder". Returns "" if they match,
/// or if both are missing, as in older versions.
std::string not_of_this_attempt(const Json& object, const std::filesystem::path& attempt_folder);
/// Returns the same for the member "trial" and a trial's folder, whose name ends with the id, also
/// during `db merge`.
std::string not_of_this_trial(const Json& object, const std::filesystem::path& trial_folder);

}  // namespace rethink
