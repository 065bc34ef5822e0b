// `rethink db check`: compares SQLite's file, the rows and the folders.
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "results/folders/sweep_files.h"
#include "results/store/store.h"

namespace rethink {

struct StoreCheck {
  std::vector<std::string> problems;  // each says what helps, unless a rebuild does
  std::vector<std::string> notes;   // flaws that the next run repairs, or files that nothing reads
  std::vector<std::string> builds;  // how far numbers of done trials may be bit-equal
  bool rebuild_helps = false;       // with some of the problems
  std::set<std::string> rebuild_loses;  // done or diverged trials; it would drop their numbers
  size_t files_without_checksum = 0;    // of version 0.1.0: checked member by member
};

/// Returns differences between SQLite, the rows and the folders. `hashes` also compares every row
/// with the folders, and every artifact with its SHA-256. Throws MachineError without a database,
/// and if SQLite cannot read it.
StoreCheck check_store(const std::filesystem::path& folder, bool hashes);

/// Returns trials that a sweep has in the database and in none of `files`, the store's sweep files,
/// by sweep ("s", "s --profile p"): a file was removed, or a copy lacks it.
std::map<std::string, std::set<std::string>> lost_sweeps(Store& store,
                                                         const std::vector<SweepFile>& files);

/// Returns "sweep s: 2 trials of it are in no file of STORE/sweeps".
std::string lost_sweep_text(const std::string& sweep, size_t trials,
                            const std::filesystem::path& store);

}  // namespace rethink
