// Reads a database if SQLite cannot write its shared memory beside it: the disk is full or mounted
// read-only, or the store is another user's.
#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "core/files/temporary_folder.h"

namespace rethink {

/// Properties of a database's files that a writer changes: size and time of the database and of its
/// -wal.
using DatabaseLooks = std::map<std::string, std::pair<uintmax_t, std::filesystem::file_time_type>>;
DatabaseLooks looks_of(const std::filesystem::path& database);

/// Returns whether `error` may mean this, and the database can still be read since no driver holds
/// the lock of `store_folder`. Throws MachineError if the lock cannot be checked.
bool may_read_aside(const std::filesystem::path& store_folder, const SQLite::Exception& error);

/// Returns whether SQLite, to read `database`, would make a -wal and a -shm although this user may
/// not write the database. Owned by this user, they would keep the database's owner out.
bool would_leave_files(const std::filesystem::path& store_folder,
                       const std::filesystem::path& database);

/// Copies of a database and its -wal in a private temporary folder, which is removed with this
/// object, unless the process is killed. SQLite keeps open files, so the copies are needed only for
/// opening.
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
