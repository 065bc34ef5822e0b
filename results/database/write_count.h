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
/// Requires: the database is writable. Throws SQLite::Exception.
void set_write_count(SQLite::Database& database, int64_t count);

/// Returns the count in the store's folder; 0 if it has none.
int64_t write_count_beside(const std::filesystem::path& store);
/// Opens the file with the count. The descriptor remains this store's file if the store is moved.
/// Returns nothing if the file cannot be written, or if something else has its name.
FileDescriptor open_write_count(const std::filesystem::path& store);
/// Not durable, and errors are ignored, since a count that is too low proves nothing.
void set_write_count_beside(const FileDescriptor& file, int64_t count);

/// Returns why commands cannot detect that this store's database was restored from a backup; empty
/// if they can, or if the store has no count yet.
std::string unusable_write_count(const std::filesystem::path& store);

/// Returns whether the database has fewer transactions than the store has counted.
bool is_older_than_store(SQLite::Database& database, const std::filesystem::path& store);

}  // namespace rethink
