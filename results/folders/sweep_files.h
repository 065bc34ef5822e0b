// The trials of each sweep: the files in a store's folder `sweeps`. Written before the database,
// which is only an index of them (docs/store.md has the format).
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace rethink {

/// A trial as one sweep sees it.
struct SweepMember {
  std::string trial, stage, profile;
  std::map<std::string, std::string> labels;
};

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

/// What tells a file that was written anew, without reading it.
struct FileStamp {
  int64_t bytes = 0, changed_ns = 0;
  bool operator==(const FileStamp&) const = default;
};
/// Zeros where there is no file.
FileStamp stamp_of(const std::filesystem::path& file);

/// The files of the folder `sweeps`, sorted. Throws MachineError when it cannot be read.
std::vector<std::filesystem::path> sweep_file_paths(const std::filesystem::path& store);

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

}  // namespace rethink
