// Opens SQLite databases: their file names, protection against foreign schemas, and SQLite's version.
#pragma once

#include <filesystem>
#include <string>

namespace SQLite {
class Database;
}

namespace rethink {

/// Returns a path that SQLite does not misread. SQLite reads "file:x?mode=ro" as an address and
/// ":memory:" as no file if they begin a name. Absolute paths and paths from "./" begin in neither
/// way. "" stays, a temporary file.
inline std::string sqlite_name(const std::filesystem::path& path) {
  return path.empty() || path.is_absolute() ? path.string() : "./" + path.string();
}

// A database file may be foreign: its schema may contain views, triggers and expressions that are
// not ours.

/// Protects a connection. SQL, also in the file's triggers, can then not damage the file (defensive
/// mode), and the file's schema may call only harmless functions (untrusted schema). Must be called
/// before the file is read. SQLite 3.40 does not count its own json_extract as harmless, so each
/// connection makes the views that call it itself (own_views in schema.h).
void restrict_schema(SQLite::Database& database);

/// Opens a store's database for reading, through the layer that checks pages (page_checksums.h), protected by
/// restrict_schema(). SQLite waits up to `busy_ms` for others that have locked it. Throws SQLite::Exception.
SQLite::Database open_read_only(const std::filesystem::path& file, int busy_ms);

/// Returns SQLite's version, such as "3.40.1". Before 3.51.3, two connections that checkpoint one
/// WAL file can corrupt it. So only the holder of the store's lock writes.
std::string sqlite_text();

}  // namespace rethink
