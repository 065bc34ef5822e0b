// A store that a group of users shares: the permissions of SQLite's files, and the owners of files
// that exclude others.
#pragma once

#include <filesystem>
#include <string>

namespace rethink {

/// Lets the folder's group write our own database, its -wal and its -shm, as far as umask does, where
/// the group may write the folder: older versions made them for their owner alone.
void share_with_group(const std::filesystem::path& database);

/// Which of these files belong to somebody else and may not be written though their folder may, and
/// the command that helps; empty: none.
std::string foreign_files(const std::filesystem::path& database);

/// Why this user may not write the store's folder, and what helps; empty: it may be written, or there
/// is none.
std::string unwritable_store_text(const std::filesystem::path& store);

}  // namespace rethink
