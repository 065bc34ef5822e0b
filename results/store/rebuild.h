// From the folders to the database: rebuild, check, merge, snapshot (`rethink db`). All but check
// and snapshot require that this process holds the StoreLock.
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "results/store/store.h"

namespace rethink {

struct RebuildReport {
  size_t trials = 0, sweeps = 0;
  std::vector<std::string> damaged;            // trials whose files are damaged: they run again
  std::map<std::string, std::string> foreign;  // trial: "PATH: is a link, ...": no run mends it
  std::map<std::string, std::string>
      foreign_files;                               // trial: the same in an attempt, artifacts, ...
  std::map<std::string, std::string> stray_files;  // trial: what nothing reads there
  std::vector<std::string> lost;      // done and diverged trials that lost that or metrics
  std::filesystem::path moved_aside;  // the old database, which SQLite cannot read or has the lost
};

/// Puts everything that the trials' folders say, and the sweeps, into a store without rows, in one
/// transaction (the open one, if there is one).
RebuildReport fill_from_folders(Store& store, const std::filesystem::path& folder,
                                const std::vector<Sweep>& sweeps);

/// Makes the database of `folder` from its trials' folders in a temporary file beside it, which
/// then takes its place; one that is there is put aside. Durable: whole, or all as it was. Throws
/// MachineError.
RebuildReport make_database(const std::filesystem::path& folder);

/// Makes the database of `folder` anew where its pages have no checksums, as version 0.1.0 made it (the
/// old one is kept as rethink.db.format1), or where a page or its -wal is damaged (it is put aside), and
/// says so in the log, and which trials lost numbers by it, as far as the old one can be read. Throws
/// MachineError.
void mend_database(const std::filesystem::path& folder);

/// Throws ConfigError where `folder` has no part of a store.
void require_store_to_rebuild(const std::filesystem::path& folder);

/// Makes all rows again, in one transaction, so that readers see the old ones until it is done;
/// where SQLite cannot read the old ones, or they have numbers that the folders lack, as
/// make_database. Throws MachineError; all is then as it was.
RebuildReport rebuild(const std::filesystem::path& folder);

/// Keeps a copy of the database beside it, before rows go whose folders are gone; returns its path.
/// `gc` removes it. Throws MachineError.
std::filesystem::path keep_database(const std::filesystem::path& folder);

/// "1 trial lost numbers: ID; the old database ...", of a report with lost trials of the store
/// `folder`.
std::string lost_text(const RebuildReport& report, const std::filesystem::path& folder);

/// Databases that were put aside or that older versions had elsewhere, and what a killed make_database left: nobody reads them.
/// To be removed by a process that holds the StoreLock.
std::vector<std::filesystem::path> database_leftovers(const std::filesystem::path& folder);

struct StoreCheck {
  std::vector<std::string> problems;    // each says what helps, unless a rebuild does
  std::vector<std::string> notes;       // what the next run sees to, or what nothing reads
  std::vector<std::string> builds;      // how far numbers of done trials can be the same to the bit
  bool rebuild_helps = false;           // with some of the problems
  std::set<std::string> rebuild_loses;  // done or diverged trials whose numbers it would drop
  size_t files_without_checksum = 0;    // of version 0.1.0: checked member by member
};

/// What is wrong between SQLite, the rows and the folders. `hashes`: compares every row with the
/// folders, reads every artifact and compares its SHA-256. Throws MachineError when there is no
/// database to check, or none that SQLite can read.
StoreCheck check_store(const std::filesystem::path& folder, bool hashes);

struct MergeReport {
  size_t added = 0, known = 0, unfinished = 0, sweeps = 0;
  std::vector<std::string> different;  // done in both with other metrics
  std::vector<std::string> damaged;    // there, and so not taken: "trial ...: FILE is damaged"
  std::vector<std::string> replaced;   // imported scores: "trial ...: test is now ..., was ..."
};

/// Copies every done trial of `from` that `into` has not done and whose files are as its records
/// say, and its sweeps' memberships. Durable: a trial's folder appears whole. No link is followed in
/// either store. Throws ConfigError when `from` is not a store.
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
