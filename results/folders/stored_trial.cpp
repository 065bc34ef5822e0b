#include "results/folders/stored_trial.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.h"
#include "core/files/file.h"
#include "core/files/store_file.h"
#include "core/json.h"
#include "core/message.h"
#include "core/store_files/attempt_end.h"
#include "core/store_files/event.h"
#include "core/store_files/lease.h"
#include "core/store_files/result_file.h"
#include "core/store_files/stored_json.h"
#include "core/store_files/trial_folder.h"

namespace rethink {
namespace {

const JsonShape& trial_shape() {
  static const JsonShape kTrial = object_with({{"id", hex_digits(kIdDigits)},
                                               {"job", any_text()},
                                               {"config", any_object()},
                                               {"seed", null_or(any_integer())},
                                               {"needs", map_of(list_of(hex_digits(kIdDigits)))},
                                               {"data", map_of(any_text())},
                                               {"imported", map_of(any_text())},
                                               {"imported_paths", map_of(any_text())},
                                               {"revisions", map_of(any_integer())},
                                               {"may_diverge", list_of(any_text()), false}});
  return kTrial;
}

const JsonShape& state_shape() {
  static const JsonShape kState = object_with(
      {{"state", one_of_texts({to_text(TrialState::failed), to_text(TrialState::cancelled)})},
       {"message", any_text()},
       {"trial", any_text(), false}});
  return kState;
}

/// The content of a trial's trial.json with its damage. Throws MachineError if the file cannot be
/// read.
StoredJson stored_trial(const std::filesystem::path& trial_folder) {
  StoredJson trial = read_stored_json(trial_folder / kTrialFile, trial_shape());
  if (trial.is_sound() && trial.object.at("id") != trial_folder.filename().string())
    trial.damage = not_expected(trial.object.at("id"), "the id of its folder");
  return trial;
}

/// The content of a state.json with its damage; the file of another trial counts as damage.
StoredJson stored_state(const std::filesystem::path& trial_folder) {
  StoredJson state = read_stored_json(trial_folder / kStateFile, state_shape());
  if (state.is_sound()) state.damage = not_of_this_trial(state.object, trial_folder);
  return state;
}

}  // namespace

void write_trial_state(const std::filesystem::path& trial_folder, TrialState state,
                       const std::string& message) {
  write_file_durably(trial_folder / kStateFile,
                     stored_text({{"state", to_text(state)},
                                  {"message", message},
                                  {"trial", trial_folder.filename().string()}}));
}

void clear_trial_state(const std::filesystem::path& trial_folder) {
  remove_stop(trial_folder);
  if (std::filesystem::remove(trial_folder / kStateFile)) sync_folder(trial_folder);
}

std::optional<Json> readable_trial(const std::filesystem::path& trial_folder) {
  StoredJson trial = stored_trial(trial_folder);
  if (!trial.is_sound()) return std::nullopt;
  return std::move(trial.object);
}

std::string missing_part_text(const std::filesystem::path& trial_folder) {
  if (!std::filesystem::exists(trial_folder)) return kFolderIsMissing;
  if (std::filesystem::exists(trial_folder / kTrialFile)) return "";
  return "its trial.json is missing; the next run of its sweep writes it anew";
}

std::string renamed_folder_text(const std::filesystem::path& trial_folder) {
  const StoredJson trial = read_stored_json(trial_folder / kTrialFile, trial_shape());
  const std::string name = trial_folder.filename().string();
  if (!trial.is_sound() || trial.object.at("id") == name) return "";
  const std::string id = trial.object.at("id");
  const std::filesystem::path own = trial_folder.parent_path() / id;
  const std::string remedy =
      std::filesystem::exists(own)
          ? fmt::format("which has a folder of its own; `{}` removes this one",
                        store_command("rm " + name, trial_folder.parent_path().parent_path()))
          : fmt::format("so that the folder was renamed; `mv {} {}` puts it back",
                        for_a_shell(trial_folder.string()), for_a_shell(own.string()));
  return fmt::format("its trial.json is that of trial {}, {}", id, remedy);
}

Json required_trial(const std::filesystem::path& trial_folder) {
  StoredJson trial = stored_trial(trial_folder);
  if (trial.is_sound()) return std::move(trial.object);
  if (const std::string renamed = renamed_folder_text(trial_folder); !renamed.empty())
    throw ConfigError("renamed-folder", fmt::format("{}: {}", trial_folder.string(), renamed));
  throw ConfigError("damaged-file",
                    fmt::format("{} is damaged ({}); the next run of its sweep writes it anew",
                                (trial_folder / kTrialFile).string(), trial.damage));
}

FolderState state_from_folder(const std::filesystem::path& trial_folder) {
  if (const auto result = sound_result(trial_folder / kResultFile)) {
    const TrialState state = trial_state_named(result->at("outcome"));
    return {state, state == TrialState::diverged ? to_text(state) : ""};
  }
  const std::filesystem::path path = trial_folder / kStateFile;
  if (!std::filesystem::exists(path)) return {};
  const StoredJson given = stored_state(trial_folder);
  // Such a file exists only for a trial that must not run until somebody allows it.
  if (!given.is_sound())
    return {TrialState::failed,
            "its state.json is damaged; a retry of the trial lets it run again"};
  return {trial_state_named(given.object.at("state")), given.object.at("message")};
}

StoredFiles look_at_files(const std::filesystem::path& trial_folder) {
  StoredFiles files;
  const auto take = [&](const std::filesystem::path& file, const StoredJson& stored) {
    if (!stored.is_sound()) files.damaged.push_back({file, stored.damage});
    if (stored.is_sound() && !stored.has_checksum) ++files.without_checksum;
  };
  take(trial_folder / kTrialFile, stored_trial(trial_folder));
  for (const char* name : {kResultFile, kOldResultFile}) {
    if (const auto result = stored_result(trial_folder / name)) take(trial_folder / name, *result);
  }
  const std::filesystem::path state = trial_folder / kStateFile;
  if (std::filesystem::exists(state)) take(state, stored_state(trial_folder));
  for (const auto& [number, folder] : attempt_folders(trial_folder)) {
    const std::filesystem::path end = folder / kEndFile;
    if (std::filesystem::exists(end)) take(end, stored_attempt_end(folder));
  }
  return files;
}

bool has_result_file(const std::filesystem::path& store, const std::string& trial) {
  std::error_code unreadable;
  return std::filesystem::exists(trial_folder(store, trial) / kResultFile, unreadable);
}

bool trial_events_are_whole(const std::filesystem::path& trial_folder) {
  if (const auto result = sound_result(trial_folder / kResultFile))
    return result_events_are_whole(trial_folder, *result);
  return events_are_whole(event_files(trial_folder), std::nullopt);
}

bool result_events_are_whole(const std::filesystem::path& trial_folder, const Json& result) {
  return events_are_whole(event_files(trial_folder),
                          EventPlace{result.at("attempt"), result.at("events")});
}

std::vector<std::string> trials_in(const std::filesystem::path& store) {
  std::vector<std::string> ids;
  for (const auto& entry : entries_of(trials_folder(store))) {
    const std::string name = entry.path().filename().string();
    std::error_code unreadable;  // foreign_part() names its owner
    if (name.size() == kIdDigits && !entry.is_symlink() &&
        std::filesystem::exists(entry.path() / kTrialFile, unreadable))
      ids.push_back(name);
  }
  std::sort(ids.begin(), ids.end());
  return ids;
}

}  // namespace rethink
