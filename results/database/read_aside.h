// Reads a database if SQLite cannot write its shared memory beside it: the disk is full or mounted
// read-only, or the store is another user's.
#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "core/system/temporary_folder.h"

namespace rethink {

/// What a writer changes of a database's files: size and time of the database and of its -wal.
using DatabaseLooks = std::map<std::string, std::pair<uintmax_t, std::filesystem::file_time_type>>;
DatabaseLooks looks_of(const std::filesystem::path& database);

/// Whether `error` may mean that, and the database can be read all the same: no driver holds the
/// lock of `store_folder`. Throws MachineError when its lock cannot be looked at.
bool may_read_aside(const std::filesystem::path& store_folder, const SQLite::Exception& error);

/// Whether SQLite would make a -wal and a -shm to read `database` that we may not write: as another
/// user's they would keep its owner out.
bool would_leave_files(const std::filesystem::path& store_folder,
                       const std::filesystem::path& database);

/// Copies of a database and of its -wal in a private folder of the system's temporary one, which
/// goes with this object (a killed process leaves it). SQLite keeps what it opened, so that it is
/// needed for opening alone.
class AsideCopy {
 public:
  /// Throws MachineError (DiskFullError) when copies cannot be made, or when a driver changes the
  /// database meanwhile.
  AsideCopy(const std::filesystem::path& store_folder, const std::filesystem::path& database);
  std::filesystem::path database() const;

 private:
  std::optional<ScratchFolder> folder_;  // once the database is known to be readable
};

}  // namespace rethink
