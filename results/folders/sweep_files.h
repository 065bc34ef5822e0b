// The trials of each sweep: the files in a store's folder `sweeps`. They are written before the
// database, which is only an index of them (docs/store.md has the format).
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace rethink {

/// A trial as a member of a sweep.
struct SweepMember {
  std::string trial, stage, profile;
  std::map<std::string, std::string> labels;
};

/// Begins the entry of SweepFile::with that names the command of the newest run, if this was not `rethink run`:
/// "command=reproduce bet --only table1".
inline constexpr std::string_view kCommandEntry = "command=";

/// sweeps/<id>.json: a sweep file with one choice of the command line. A run replaces only the
/// members of its own choice.
struct SweepFile {
  std::string sweep, profile;
  std::string choice;  // options beside the profile: "--set lr=1 --seeds 0,1"; empty: none
  std::string source;  // YAML file of the sweep
  std::vector<SweepMember> members;  // in the plan's order
  std::set<std::string> cancelled;   // trials that the sweep no longer needs
  std::filesystem::path path{};      // path of this file, if it was read
  std::vector<std::string>
      with{};                // other options of its newest run: "--data=/data"; kCommandEntry
  bool has_checksum = true;  // false: a file of version 0.1.0
};

/// A sweep with one profile: all its files together.
struct Sweep {
  std::string sweep, profile;
  std::vector<SweepFile> files;      // at least one
  std::vector<SweepMember> members;  // each stage, trial and labels once
  std::set<std::string> cancelled;   // trials that no file needs any more
};

/// Properties that show a rewritten file, without reading it.
struct FileStamp {
  int64_t bytes = 0, changed_ns = 0;
  bool operator==(const FileStamp&) const = default;
};
/// Returns zeros if the file is missing.
FileStamp stamp_of(const std::filesystem::path& file);

/// Returns the files of the folder `sweeps`, sorted. Throws MachineError if it cannot be read.
std::vector<std::filesystem::path> sweep_file_paths(const std::filesystem::path& store);

/// Returns store/sweeps/<20 hex digits of the SHA-256 of sweep, profile, choice, source in lines>.json.
std::filesystem::path sweep_path(const std::filesystem::path& store, const SweepFile& file);
/// Writes a file. Durable: either the whole new file or the old file. Throws MachineError.
void write_sweep_file(const std::filesystem::path& store, const SweepFile& file);
/// Returns whether `other` is the same plan: the same sweep, profile and choice from the same YAML
/// file, or from a moved file. A file counts as moved if nothing is at its old path and `file` has
/// all its trials. Another person's file of the same name does not count as moved if a trial would
/// leave the record.
bool is_same_plan(const SweepFile& file, const SweepFile& other);
/// Writes the file and removes the files in `known`, the store's files, that it replaces. Updates
/// `known`. Durable. Throws as write_sweep_file.
void replace_sweep_file(const std::filesystem::path& store, SweepFile file,
                        std::vector<SweepFile>& known);
/// Returns every file, by sweep, profile, choice and source. A damaged file is left out, with a
/// warning, or listed in `damaged`: a command that removes trials in no sweep must not trust the
/// other files alone. Throws MachineError if a newer version wrote a file, and if the folder
/// `sweeps` cannot be read.
std::vector<SweepFile> read_sweep_files(const std::filesystem::path& store,
                                        std::vector<std::filesystem::path>* damaged = nullptr);

/// Returns "; did you mean 'mein'?" for a `name` of no sweep, by the names of sweeps and of the YAML files that they were
/// read from; "" if none is near.
std::string did_you_mean_sweep(const std::string& name, const std::vector<SweepFile>& files);

/// Returns the files with the same sweep and profile.
std::vector<Sweep> united(std::vector<SweepFile> files);
/// Returns every sweep of the store, by sweep and profile.
std::vector<Sweep> read_sweeps(const std::filesystem::path& store);
/// Returns nothing if the file is missing.
std::optional<Sweep> sweep_among(const std::vector<SweepFile>& files, const std::string& sweep,
                                 const std::string& profile);
/// Returns nothing if the sweep was never run in this store.
std::optional<Sweep> read_sweep(const std::filesystem::path& store, const std::string& sweep,
                                const std::string& profile);
/// Returns whether the file was made from this YAML file.
bool comes_from(const SweepFile& file, const std::filesystem::path& source);
/// Returns whether `name`, from a user, is the sweep's name or its YAML file.
bool answers_to(const SweepFile& file, const std::string& name);
bool answers_to(const Sweep& sweep, const std::string& name);

}  // namespace rethink
