// What a store's folder holds for the driver beside the trials' own files: which sweep wants which trial, and
// how attempts ended. Written before the database, which is only an index of it (docs/store.md has the
// formats).
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/json.h"
#include "results/store.h"

namespace rethink {

/// sweeps/<id>.json: one sweep under one profile.
struct SweepFile {
  std::string sweep, profile;
  std::string source;                // the YAML file it was read from; for people
  std::vector<SweepMember> members;  // in the plan's order
  std::set<std::string> cancelled;   // trials that this sweep no longer wants
};

/// store/sweeps/<20 hex digits of the SHA-256 of sweep, newline, profile>.json
std::filesystem::path sweep_path(const std::filesystem::path& store, const std::string& sweep,
                                 const std::string& profile);
/// Durable: the whole file, or the old one untouched. Throws MachineError.
void write_sweep_file(const std::filesystem::path& store, const SweepFile& sweep);
/// Nothing when the sweep was never run in this store. Throws ConfigError when the file is not what
/// write_sweep wrote.
std::optional<SweepFile> read_sweep_file(const std::filesystem::path& store, const std::string& sweep,
                                         const std::string& profile);
/// Every sweep of the store, by sweep and profile.
std::vector<SweepFile> read_sweep_files(const std::filesystem::path& store);

/// trials/<id>/state.json: a state that the trial's other files do not tell, because it is a decision of the
/// driver: failed (retries used up), cancelled. {"state":"failed","message":"..."}. Durable. Throws
/// MachineError.
void write_trial_state(const std::filesystem::path& trial_folder, const TrialState& state,
                       const std::string& message);
/// The trial may run again (retry): removes state.json, if there is one. Durable.
void clear_trial_state(const std::filesystem::path& trial_folder);

struct FolderState {
  TrialState state;  // empty when its needs decide: waiting, ready or blocked
  std::string message;
};
/// What result.json, else state.json says. Throws ConfigError when they are damaged.
FolderState state_from_folder(const std::filesystem::path& trial_folder);

/// store/trials/<trial> and its attempts: (1, ".../attempt-1"), ... in order.
std::filesystem::path trial_folder(const std::filesystem::path& store, const std::string& trial);
std::map<int64_t, std::filesystem::path> attempt_folders(const std::filesystem::path& trial_folder);
/// Ids of all trials that have a folder with a trial.json, sorted.
std::vector<std::string> trials_in(const std::filesystem::path& store);

}  // namespace rethink
