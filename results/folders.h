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
void write_sweep(const std::filesystem::path& store, const SweepFile& sweep);
/// Nothing when the sweep was never run in this store. Throws ConfigError when the file is not what
/// write_sweep wrote.
std::optional<SweepFile> read_sweep(const std::filesystem::path& store, const std::string& sweep,
                                    const std::string& profile);
/// Every sweep of the store, by sweep and profile.
std::vector<SweepFile> read_sweeps(const std::filesystem::path& store);

/// attempt-<n>/end.json: how an attempt ended, as the driver saw it.
struct AttemptEnd {
  AttemptRow attempt;      // outcome not empty; facts: "signal", "exit_status", "seconds", ...
  TrialState trial_state;  // what the trial became: "ready", "failed", ...; empty = follows from the outcome
};

/// {"attempt":2,"outcome":"killed","message":"...","state":"ready", and the facts}. Durable. Throws
/// MachineError.
void write_attempt_end(const std::filesystem::path& store, const AttemptEnd& end);
/// Nothing when there is no such file. Throws ConfigError when it is not what write_attempt_end wrote.
std::optional<AttemptEnd> read_attempt_end(const std::filesystem::path& attempt_folder,
                                           const std::string& trial);

/// store/trials/<trial> and its attempts: (1, ".../attempt-1"), ... in order.
std::filesystem::path trial_folder(const std::filesystem::path& store, const std::string& trial);
std::map<int64_t, std::filesystem::path> attempt_folders(const std::filesystem::path& trial_folder);
/// Ids of all trials that have a folder with a trial.json, sorted.
std::vector<std::string> trials_in(const std::filesystem::path& store);

}  // namespace rethink
