// The small JSON files of a trial's folder as the driver reads them: trial.json, which
// experiments/attempt/trial_files.h writes, and state.json, which this file writes (docs/store.md
// has the formats).
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/json.h"
#include "core/trial_state.h"

namespace rethink {

/// The message on a trial that has rows but no folder.
constexpr const char* kFolderIsMissing =
    "its folder is missing; the next run of its sweep makes it again";

/// Returns the message on a trial whose folder lacks trial.json; "" if both exist.
std::string missing_part_text(const std::filesystem::path& trial_folder);

/// Returns the message on a trial's folder with the trial.json of another trial, with what to type;
/// "" if it is the right one.
std::string renamed_folder_text(const std::filesystem::path& trial_folder);

/// The small JSON files of one trial, each checked.
struct StoredFiles {
  struct Damage {
    std::filesystem::path file;
    std::string what;
  };
  std::vector<Damage> damaged;
  size_t without_checksum = 0;  // sound files of version 0.1.0, which wrote no checksums
};
StoredFiles look_at_files(const std::filesystem::path& trial_folder);

/// Writes trials/<id>/state.json: a state that no other file of the trial shows, since it is a
/// decision of the driver: failed (retries used up), cancelled. {"state":"failed","message":"...",
/// "trial":"<id>"}. Durable. Throws MachineError.
void write_trial_state(const std::filesystem::path& trial_folder, TrialState state,
                       const std::string& message);
/// Lets the trial run again (retry): removes state.json, and `stop` (core/store_files/lease.h), if they exist. Durable.
void clear_trial_state(const std::filesystem::path& trial_folder);

/// Returns the contents of a trial's trial.json; nothing if it is damaged, or another trial's.
std::optional<Json> readable_trial(const std::filesystem::path& trial_folder);
/// Returns the contents of trial.json. Throws ConfigError, with what helps, if it is damaged.
Json required_trial(const std::filesystem::path& trial_folder);

struct FolderState {
  std::optional<TrialState> state;  // none if its needs decide: waiting, ready or blocked
  std::string message;
};
/// Returns the state in a sound result.json, else in state.json; failed for a damaged state.json.
FolderState state_from_folder(const std::filesystem::path& trial_folder);

/// Returns whether the trial has a result, sound or damaged; false if its folder may not be read.
bool has_result_file(const std::filesystem::path& store, const std::string& trial);

/// Returns whether every event behind the trial's numbers can be read (core/store_files/event.h): with a
/// readable result.json the events up to its end, else all events of the last attempt. Cost: reads
/// the events.
bool trial_events_are_whole(const std::filesystem::path& trial_folder);
/// Returns the same for the events behind a sound result.json or old_result.json.
bool result_events_are_whole(const std::filesystem::path& trial_folder, const Json& result);
/// Returns the sorted ids of all trials that have a folder (not a link) with a trial.json, without
/// folders that this user may not read.
std::vector<std::string> trials_in(const std::filesystem::path& store);

}  // namespace rethink
