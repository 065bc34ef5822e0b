// A store that a group of users shares: the permissions of SQLite's files, and the owners of files
// that exclude others.
#pragma once

#include <filesystem>
#include <string>

namespace rethink {

/// Lets the folder's group write our own database, its -wal and its -shm, within the umask, if the
/// group may write the folder. Older versions made them only for their owner.
void share_with_group(const std::filesystem::path& database);

/// Returns which of these files belong to another user and may not be written although their folder
/// may, with the command that helps; "" if none.
std::string foreign_files(const std::filesystem::path& database);

/// Returns why this user may not write the store's folder, and what helps; "" if the folder may be
/// written, or does not exist.
std::string unwritable_store_text(const std::filesystem::path& store);

}  // namespace rethink
