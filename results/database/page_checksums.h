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

/// The name of the layer below SQLite that keeps and compares the checksums, as SQLite::Database takes
/// it. Each page of a database that keeps them ends in 8 bytes, which SQLite leaves alone: a hash of
/// the other bytes and of the page's number. Reading a page that does not have its checksum fails as
/// SQLITE_CORRUPT. A database without checksums, as version 0.1.0 made it, is read and written as it is.
/// Frames of the -wal have checksums of SQLite's own, which it compares only when it opens a -wal that
/// nobody else has open.
const char* page_checksum_layer();

/// Has `database`, which was opened through the layer and has no page yet, keep checksums.
void keep_page_checksums(SQLite::Database& database);

/// Numbers, from 1, of a file's pages whose checksum is wrong or missing; none if the database
/// keeps no checksums.
struct UnfitPages {
  std::optional<int64_t> first;  // that is damaged; where none is, of_another_program
  std::string problem;           // of the first: "page 3 does not have its checksum"
  /// The first page without any checksum. A program without the layer moved it from the -wal into
  /// the file, as SQLite does in the last program that closes a database. Such a page is read as it
  /// is.
  std::optional<int64_t> of_another_program;
};

/// Reads the whole file. What a -wal says instead is not looked at, and a page that SQLite never
/// wrote, as an unused one may be, has no checksum: that one is reported too. Of a file that does not
/// begin as a database page 1 is reported, of an empty file none. Throws MachineError.
UnfitPages unfit_pages(const std::filesystem::path& database);

/// Returns whether the file is a database of format 1, whose pages have no checksums. Throws
/// MachineError.
bool is_without_page_checksums(const std::filesystem::path& database);

}  // namespace rethink
