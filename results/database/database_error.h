// Turns SQLite's errors into messages for users.
#pragma once

#include <exception>
#include <filesystem>
#include <string>

namespace SQLite {
class Exception;
}

namespace rethink {

/// Whether the file cannot be read, whatever is done: a rebuild helps.
bool is_damage(const SQLite::Exception& error);

/// What helps a damaged snapshot, which no rebuild can make again.
std::string another_snapshot_text(const std::filesystem::path& snapshot);

/// "PATH: the database is damaged (what is wrong); what helps". `store`: the folder whose database it
/// is; of a snapshot the file itself.
std::string damaged_database_text(const std::filesystem::path& database, const std::string& what,
                                  const std::filesystem::path& store);

/// Throws what SQLite's error means for the user: MachineError, DiskFullError.
[[noreturn]] void throw_database_error(const std::filesystem::path& database,
                                       const SQLite::Exception& error,
                                       const std::filesystem::path& store);

/// Throws what `error` means for the user of the store when it is one of SQLite's: MachineError,
/// DiskFullError; returns when it is not.
void throw_if_database_error(const std::filesystem::path& store_folder,
                             const std::exception& error);

/// What `error`, of a file of the store or of its database, means for a user.
std::string store_error_text(const std::filesystem::path& store, const std::exception& error);

}  // namespace rethink
