// Counts the transactions of a store's database, in the database and in the store's folder, so that
// a database restored from a backup is recognised as older than the store.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "core/files/file.h"

namespace SQLite {
class Database;
}  // namespace SQLite

namespace rethink {

/// Returns the count in the database; 0 if it has none. Throws SQLite::Exception.
int64_t write_count(SQLite::Database& database);
/// Requires: it may be written. Throws SQLite::Exception.
void set_write_count(SQLite::Database& database, int64_t count);

/// Returns the count in the store's folder; 0 if it has none.
int64_t write_count_beside(const std::filesystem::path& store);
/// Opens the file with the count, which stays this store's file if its folder is moved. Returns
/// nothing if something else is in its place, or if it may not be written.
FileDescriptor open_write_count(const std::filesystem::path& store);
/// Not durable, and errors are ignored, since a count that is too low proves nothing.
void set_write_count_beside(const FileDescriptor& file, int64_t count);

/// Returns why no command can detect there that the database was restored from a backup; empty if
/// commands can, or if the store has no such file yet.
std::string unusable_write_count(const std::filesystem::path& store);

/// Returns whether the database has fewer transactions than the store has counted.
bool is_older_than_store(SQLite::Database& database, const std::filesystem::path& store);

}  // namespace rethink
