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
  std::vector<std::string> damaged;            // trials with damaged files: they run again
  std::map<std::string, std::string> foreign;  // trial: "PATH: is a link, ...": no run repairs it
  std::map<std::string, std::string>
      foreign_files;                               // trial: the same in an attempt, artifacts, ...
  std::map<std::string, std::string> stray_files;  // trial: files in its folder that nothing reads
  std::vector<std::string> lost;      // done and diverged trials that lost this state or metrics
  std::filesystem::path moved_aside;  // the old database: unreadable, or with the lost numbers
};

/// Makes the rows of one trial from its folder. Its state is the state in the folder, else waiting.
/// A trial with a damaged result, or with damaged or missing events before its end, is added to
/// `damaged`.
void index_trial(Store& store, const std::filesystem::path& folder, const std::string& trial,
                 std::vector<std::string>& damaged);

/// Adds the trials' folders and the sweeps to a store without rows, in one transaction (the open
/// one, if there is one).
RebuildReport fill_from_folders(Store& store, const std::filesystem::path& folder,
                                const std::vector<Sweep>& sweeps);

/// Makes the database of `folder` from its trials' folders, in a temporary file that then takes its
/// place. An existing database is put aside. Durable: either the whole new database or the old one.
/// Throws MachineError.
RebuildReport make_database(const std::filesystem::path& folder);

/// Makes the database of `folder` again if it has an older format, as version 0.1.0 wrote it (the
/// old one is kept as rethink.db.format1), or if a page or its -wal is damaged (it is put aside).
/// The log says so, and which trials lost numbers, if the old one can be read. Throws MachineError.
void mend_database(const std::filesystem::path& folder);

/// Throws ConfigError if `folder` has no part of a store.
void require_store_to_rebuild(const std::filesystem::path& folder);

/// Makes all rows again, in one transaction, so that readers see the old rows until its end. If
/// SQLite cannot read the old rows, or if they have numbers that the folders lack, it does the same
/// as make_database. Throws MachineError, with everything as before.
RebuildReport rebuild(const std::filesystem::path& folder);

/// Keeps a copy of the database beside it, before rows without folders are removed, and returns its
/// path. `gc` removes the copy. Throws MachineError.
std::filesystem::path keep_database(const std::filesystem::path& folder);

/// Returns "1 trial lost numbers: ID; the old database ..." for a report with lost trials of the
/// store `folder`.
std::string lost_text(const RebuildReport& report, const std::filesystem::path& folder);

/// Returns databases that were put aside, databases that older versions kept elsewhere, and files
/// of a killed make_database. No command reads them; a process that holds the StoreLock may remove
/// them.
std::vector<std::filesystem::path> database_leftovers(const std::filesystem::path& folder);

/// Writes the whole database to one new file, which can be read without write access. Throws
/// ConfigError if `file` exists.
void snapshot(const std::filesystem::path& folder, const std::filesystem::path& file);

}  // namespace rethink
