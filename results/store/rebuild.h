// Makes the database from the folders: rebuild, repair, copies (`rethink db`). All functions except
// snapshot require that this process holds the StoreLock.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "results/folders/sweep_files.h"
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

/// Makes the rows of one trial from its folder; its state as far as the folder tells it, else
/// waiting. A trial whose result is damaged, or whose events are or end before it, is added to
/// `damaged`.
void index_trial(Store& store, const std::filesystem::path& folder, const std::string& trial,
                 std::vector<std::string>& damaged);

/// Puts everything that the trials' folders say, and the sweeps, into a store without rows, in one
/// transaction (the open one, if there is one).
RebuildReport fill_from_folders(Store& store, const std::filesystem::path& folder,
                                const std::vector<Sweep>& sweeps);

/// Makes the database of `folder` from its trials' folders in a temporary file beside it, which
/// then takes its place; one that is there is put aside. Durable: whole, or all as it was. Throws
/// MachineError.
RebuildReport make_database(const std::filesystem::path& folder);

/// Makes the database of `folder` anew where it is of an older format, as version 0.1.0 made it (the
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

/// One file with the whole database, readable without write access. Throws ConfigError when `file`
/// exists.
void snapshot(const std::filesystem::path& folder, const std::filesystem::path& file);

}  // namespace rethink
