// Turns SQLite's errors into messages for users.
#pragma once

#include <exception>
#include <filesystem>
#include <string>

namespace SQLite {
class Exception;
}

namespace rethink {

/// Returns whether the file is unreadable for good, so that only a rebuild helps.
bool is_damage(const SQLite::Exception& error);

/// Returns advice for a damaged snapshot, which no rebuild can make again.
std::string another_snapshot_text(const std::filesystem::path& snapshot);

/// Returns "PATH: the database is damaged (what is wrong); what helps". `store` is the folder of
/// the database, or the file of a snapshot.
std::string damaged_database_text(const std::filesystem::path& database, const std::string& what,
                                  const std::filesystem::path& store);

/// Throws the error that SQLite's error means for the user: MachineError, DiskFullError.
[[noreturn]] void throw_database_error(const std::filesystem::path& database,
                                       const SQLite::Exception& error,
                                       const std::filesystem::path& store);

/// Throws the error for the user of the store if `error` is SQLite's: MachineError or
/// DiskFullError. Returns otherwise.
void throw_if_database_error(const std::filesystem::path& store_folder,
                             const std::exception& error);

/// Returns the message for a user on an error of a file of the store or of its database.
std::string store_error_text(const std::filesystem::path& store, const std::exception& error);

}  // namespace rethink
