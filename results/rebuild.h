// From the folders to the database: rebuild, check, merge, snapshot (`rethink db`). All but check
// and snapshot require that this process holds the StoreLock.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "results/store.h"

namespace rethink {

struct RebuildReport {
  size_t trials = 0, sweeps = 0;
  std::vector<std::string> damaged;   // trials whose files are damaged: they run again
  std::filesystem::path moved_aside;  // the old database, when SQLite could not read it
};

/// Puts everything that the folders say into a store without rows, in one transaction (the open
/// one, if there is one).
RebuildReport fill_from_folders(Store& store, const std::filesystem::path& folder);

/// Makes all rows again, in one transaction, so that readers see the old ones until it is done.
/// Throws MachineError.
RebuildReport rebuild(const std::filesystem::path& folder);

/// What is wrong between SQLite, the rows and the folders; empty when nothing is. `hashes`: reads
/// every artifact and compares its SHA-256. Throws MachineError when there is no database to check.
std::vector<std::string> check_store(const std::filesystem::path& folder, bool hashes);

struct MergeReport {
  size_t added = 0, known = 0, unfinished = 0, sweeps = 0;
  std::vector<std::string> different;  // done in both with other final metrics
};

/// Copies every done trial of `from` that `into` has not done, and its sweeps' memberships.
/// Durable: a trial's folder appears whole. Throws ConfigError when `from` is no store.
MergeReport merge_store(const std::filesystem::path& from, const std::filesystem::path& into);

/// What a merge that was killed left half done: a trial of ours that had to give way, and whose
/// place nobody took, is put back. Requires: this process holds the StoreLock.
void put_back_trials(const std::filesystem::path& store);
/// Folders that a killed merge left, and that nobody needs once put_back_trials was called: copies
/// on their way in, trials of ours whose place was taken.
std::vector<std::filesystem::path> merge_leftovers(const std::filesystem::path& store);

/// One file with the whole database, readable without write access. Throws ConfigError when `file`
/// exists.
void snapshot(const std::filesystem::path& folder, const std::filesystem::path& file);

}  // namespace rethink
