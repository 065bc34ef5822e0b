// Checksums of the pages of rethink.db: SQLite itself sees a page whose structure is broken, but not
// a number that was changed within one.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

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

/// The first page of the file whose bytes do not have its checksum, from 1; none: all have it, or the
/// database keeps no checksums. What a -wal says instead is not looked at, and a page that SQLite never
/// wrote, as an unused one may be, has no checksum: that one is reported too. Throws MachineError.
std::optional<int64_t> page_without_its_checksum(const std::filesystem::path& database);

/// The first page that has no checksum at all, from 1: a program without the layer moved it from the
/// -wal into the file, as SQLite does in whichever program closes a database last. Such a page is read
/// as it is. Throws MachineError.
std::optional<int64_t> page_of_another_program(const std::filesystem::path& database);

/// Whether the file is a database of format 1, whose pages have no checksums. Throws MachineError.
bool is_without_page_checksums(const std::filesystem::path& database);

}  // namespace rethink
