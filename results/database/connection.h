// Opens a database by SQLite: its file name, distrust of its schema, and SQLite's version.
#pragma once

#include <filesystem>
#include <string>

namespace SQLite {
class Database;
}

namespace rethink {

/// SQLite reads "file:x?mode=ro" as an address and ":memory:" as no file, where they begin a name;
/// a path that is told from the root or from here begins neither way. "" stays: a temporary file.
inline std::string sqlite_name(const std::filesystem::path& path) {
  return path.empty() || path.is_absolute() ? path.string() : "./" + path.string();
}

// A database file may be a stranger's: its schema may hold views, triggers and expressions that are
// not ours.

/// SQL, of the file's triggers too, can then no longer damage the file itself (defensive mode), and
/// what its schema says may call harmless functions only (its schema is not trusted). To be called
/// before anything of the file is read. SQLite 3.40 counts its own json_extract among the others:
/// each connection makes the views that call it for itself (own_views in schema.h).
void distrust(SQLite::Database& database);

/// One of our files, to read, through the layer that checks pages (page_checksums.h), distrusted. SQLite
/// waits up to `busy_ms` for others that have it locked. Throws SQLite::Exception.
SQLite::Database open_read_only(const std::filesystem::path& file, int busy_ms);

/// "3.40.1", and what must be known of it: before 3.51.3 two connections that checkpoint one WAL
/// file can corrupt it, which is why only the holder of the store's lock writes.
std::string sqlite_text();

}  // namespace rethink
