// Checksums of the pages of rethink.db: SQLite itself detects a page with a broken structure, but
// not a changed number in a page.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace SQLite {
class Database;
}

namespace rethink {

/// Returns the name, for SQLite::Database, of the layer below SQLite that writes and compares the
/// checksums. Each page of a database with checksums ends in 8 bytes that SQLite does not use: a
/// hash of the other bytes and of the page's number. Reading a page with a wrong checksum fails
/// with SQLITE_CORRUPT. A database without checksums, from version 0.1.0, is read and written
/// unchanged. Frames of the -wal have SQLite's own checksums, which SQLite compares only when it
/// opens a -wal that nobody else has open.
const char* page_checksum_layer();

/// Turns on checksums for `database`, which was opened through the layer and has no page yet.
void keep_page_checksums(SQLite::Database& database);

/// Numbers, from 1, of a file's pages whose checksum is wrong or missing; none if the database
/// keeps no checksums.
struct InvalidPages {
  std::optional<int64_t> first;  // number of the first damaged page, else of_another_program
  std::string problem;           // problem of the first: "page 3 does not have its checksum"
  /// The first page without any checksum. A program without the layer moved it from the -wal into
  /// the file, as SQLite does in the last program that closes a database. Such a page is read as it
  /// is.
  std::optional<int64_t> of_another_program;
};

/// Reads the whole file, without the pages in a -wal. A page that SQLite never wrote, such as an
/// unused page, has no checksum and is reported too. If the file does not begin like a database,
/// page 1 is reported; for an empty file none. Throws MachineError.
InvalidPages unfit_pages(const std::filesystem::path& database);

/// Returns whether the file is a database of format 1, whose pages have no checksums. Throws
/// MachineError.
bool is_without_page_checksums(const std::filesystem::path& database);

}  // namespace rethink
