// Reading a database where SQLite may not write its shared memory beside it: on a disk that is
// mounted for reading only or is full, or as another user.
#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <filesystem>
#include <string>

namespace rethink {

/// Whether `error` may mean that, and the database can be read all the same: no driver holds the
/// lock of `store_folder`. Throws MachineError when its lock cannot be looked at.
bool may_read_aside(const std::filesystem::path& store_folder, const SQLite::Exception& error);

/// What to open instead with SQLite::OPEN_URI; its files may be removed once it was read from.
struct AsidePlace {
  std::string uri;
  std::filesystem::path copy;  // a folder of ours; empty: the database is read where it is
};

/// The database itself, as one that nobody changes; where it has a -wal, which must be read with
/// it, copies of both in a private folder of the system's temporary one. Throws MachineError
/// (DiskFullError) when these cannot be made.
AsidePlace place_aside(const std::filesystem::path& database);

}  // namespace rethink
