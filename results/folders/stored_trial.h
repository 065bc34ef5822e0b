// What a store's folder holds for the driver beside the trials' own files: which sweep wants which
// trial, and how attempts ended. Written before the database, which is only an index of it
// (docs/store.md has the formats).
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/format/stored_json.h"
#include "core/json.h"
#include "results/store/store.h"

namespace rethink {

/// What is said of a trial that has rows and no folder any more.
constexpr const char* kFolderIsGone =
    "its folder is gone; the next run of its sweep makes it again";

/// The same of one whose folder lacks trial.json; empty where both are there.
std::string missing_part_text(const std::filesystem::path& trial_folder);

/// What is said of a trial's folder with the trial.json of another trial, and what to type; empty
/// where it is none.
std::string renamed_folder_text(const std::filesystem::path& trial_folder);

/// sweeps/<id>.json: what one sweep file is under one choice of the command line. A run replaces
/// the members of its own choice only.
struct SweepFile {
  std::string sweep, profile;
  std::string choice;  // options beside the profile: "--set lr=1 --seeds 0,1"; empty: none
  std::string source;  // the YAML file it was read from
  std::vector<SweepMember> members;  // in the plan's order
  std::set<std::string> cancelled;   // trials that it no longer wants
  std::filesystem::path path{};      // of this file, where it was read from one
  std::vector<std::string> with{};   // what else its newest run was told: "--data=/data"
  bool has_checksum = true;          // of version 0.1.0: no
};

/// A sweep under one profile: all that its files have.
struct Sweep {
  std::string sweep, profile;
  std::vector<SweepFile> files;      // at least one
  std::vector<SweepMember> members;  // each stage, trial and labels once
  std::set<std::string> cancelled;   // trials that no file wants any more
};

/// store/sweeps/<20 hex digits of the SHA-256 of sweep, profile, choice, source in lines>.json
std::filesystem::path sweep_path(const std::filesystem::path& store, const SweepFile& file);
/// Durable: the whole file, or the old one untouched. Throws MachineError.
void write_sweep_file(const std::filesystem::path& store, const SweepFile& file);
/// Whether `other` is the same plan: the same sweep, profile and choice from the same YAML file, or
/// from one that was moved: nothing is at its old path, and `file` has all its trials. Another
/// person's file of the same name is never taken for a moved one unless no trial leaves the record.
bool takes_place_of(const SweepFile& file, const SweepFile& other);
/// Writes it and removes those of `known`, the store's files, whose place it takes. `known` is then
/// what the store has. Durable. Throws as write_sweep_file.
void replace_sweep_file(const std::filesystem::path& store, SweepFile file,
                        std::vector<SweepFile>& known);
/// Every file, by sweep, profile, choice and source. One that is damaged is left out, with a
/// warning, or named in `damaged`: who removes what no sweep has must not trust the rest. Throws
/// MachineError when a newer version wrote one, and when the folder `sweeps` cannot be read.
std::vector<SweepFile> read_sweep_files(const std::filesystem::path& store,
                                        std::vector<std::filesystem::path>* damaged = nullptr);

/// Files that have the same sweep and profile as one.
std::vector<Sweep> united(std::vector<SweepFile> files);
/// Every sweep of the store, by sweep and profile.
std::vector<Sweep> read_sweeps(const std::filesystem::path& store);
/// Nothing when there is none.
std::optional<Sweep> sweep_among(const std::vector<SweepFile>& files, const std::string& sweep,
                                 const std::string& profile);
/// Nothing when the sweep was never run in this store.
std::optional<Sweep> read_sweep(const std::filesystem::path& store, const std::string& sweep,
                                const std::string& profile);
/// Whether it was made from this YAML file.
bool comes_from(const SweepFile& file, const std::filesystem::path& source);
/// Whether `name`, which a user gave, is the sweep's name or its YAML file.
bool answers_to(const SweepFile& file, const std::string& name);
bool answers_to(const Sweep& sweep, const std::string& name);

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
void write_trial_state(const std::filesystem::path& trial_folder, const TrialState& state,
                       const std::string& message);
/// The trial may run again (retry): removes state.json, if there is one. Durable.
void clear_trial_state(const std::filesystem::path& trial_folder);

/// What a trial's trial.json says, and what is damaged in it. Throws MachineError when it cannot be
/// read.
StoredJson stored_trial(const std::filesystem::path& trial_folder);
/// What it says; nothing when it is damaged, or another trial's.
std::optional<Json> readable_trial(const std::filesystem::path& trial_folder);
/// What it says. Throws ConfigError, with what helps, when it is damaged.
Json required_trial(const std::filesystem::path& trial_folder);

/// end.json as the driver writes it, with what helps to read it again. Durable.
void write_attempt_end(const std::filesystem::path& attempt_folder, Json end);
/// What the driver wrote in an attempt's end.json; where it is damaged, {"outcome": "lost"} with a
/// message that says so, and nothing where there is none.
std::optional<Json> attempt_end(const std::filesystem::path& attempt_folder);

struct FolderState {
  TrialState state;  // empty when its needs decide: waiting, ready or blocked
  std::string message;
};
/// What a sound result.json, else state.json says; a damaged state.json says failed.
FolderState state_from_folder(const std::filesystem::path& trial_folder);

/// Whether the trial has a result, sound or not; false where its folder may not be read.
bool has_result_file(const std::filesystem::path& store, const std::string& trial);

/// store/trials/<trial>
std::filesystem::path trial_folder(const std::filesystem::path& store, const std::string& trial);
/// Whether every event can be read on which the trial's numbers rest: with a readable result.json
/// those before its end, else all of the last attempt (core/format/event.h). Cost: reads the events.
bool trial_events_are_whole(const std::filesystem::path& trial_folder);
/// Likewise those on which a sound result.json or old_result.json of the trial rests.
bool result_events_are_whole(const std::filesystem::path& trial_folder, const Json& result);
/// Ids of all trials that have a folder, not a link to one, with a trial.json, sorted; without those whose folder
/// this user may not read.
std::vector<std::string> trials_in(const std::filesystem::path& store);

}  // namespace rethink
