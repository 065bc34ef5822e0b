// The small JSON files of a trial's folder as the driver reads them: trial.json, which
// experiments/attempt/trial_files.h writes, and state.json, which it writes here (docs/store.md has the
// formats).
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/json.h"
#include "core/trial_state.h"

namespace rethink {

/// What is said of a trial that has rows and no folder any more.
constexpr const char* kFolderIsGone =
    "its folder is gone; the next run of its sweep makes it again";

/// The same of one whose folder lacks trial.json; empty where both are there.
std::string missing_part_text(const std::filesystem::path& trial_folder);

/// What is said of a trial's folder with the trial.json of another trial, and what to type; empty
/// where it is none.
std::string renamed_folder_text(const std::filesystem::path& trial_folder);

/// The small JSON files of one trial, each looked at.
struct StoredFiles {
  struct Damage {
    std::filesystem::path file;
    std::string what;
  };
  std::vector<Damage> damaged;
  size_t without_checksum = 0;  // sound, and of version 0.1.0, which wrote none
};
StoredFiles look_at_files(const std::filesystem::path& trial_folder);

/// trials/<id>/state.json: a state that the trial's other files do not tell, because it is a
/// decision of the driver: failed (retries used up), cancelled. {"state":"failed","message":"...",
/// "trial":"<id>"}.
/// Durable. Throws MachineError.
void write_trial_state(const std::filesystem::path& trial_folder, TrialState state,
                       const std::string& message);
/// The trial may run again (retry): removes state.json, if there is one. Durable.
void clear_trial_state(const std::filesystem::path& trial_folder);

/// What a trial's trial.json says; nothing when it is damaged, or another trial's.
std::optional<Json> readable_trial(const std::filesystem::path& trial_folder);
/// What it says. Throws ConfigError, with what helps, when it is damaged.
Json required_trial(const std::filesystem::path& trial_folder);

struct FolderState {
  std::optional<TrialState> state;  // none when its needs decide: waiting, ready or blocked
  std::string message;
};
/// What a sound result.json, else state.json says; a damaged state.json says failed.
FolderState state_from_folder(const std::filesystem::path& trial_folder);

/// Whether the trial has a result, sound or not; false where its folder may not be read.
bool has_result_file(const std::filesystem::path& store, const std::string& trial);

/// Whether every event can be read on which the trial's numbers rest: with a readable result.json
/// those before its end, else all of the last attempt (core/format/event.h). Cost: reads the events.
bool trial_events_are_whole(const std::filesystem::path& trial_folder);
/// Likewise those on which a sound result.json or old_result.json of the trial rests.
bool result_events_are_whole(const std::filesystem::path& trial_folder, const Json& result);
/// Ids of all trials that have a folder, not a link to one, with a trial.json, sorted; without those whose folder
/// this user may not read.
std::vector<std::string> trials_in(const std::filesystem::path& store);

}  // namespace rethink
