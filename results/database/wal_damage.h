// Detects damage to the -wal of rethink.db. SQLite takes damage for the end of the file and ignores
// what follows, as it ignores the unfinished transaction of a killed writer.
#pragma once

#include <filesystem>
#include <string>

namespace rethink {

/// Returns evidence that committed transactions are lost from the -wal of `database`, or that the
/// -wal belongs to another database: "rethink.db-wal is damaged at frame 3". Returns "" without
/// evidence.
///
/// - Without a -shm, damage to the last transaction is not detected, since a killed writer may leave the same.
/// - Damage to a last transaction of more than 1,000 pages is not detected.
/// - A -wal of another database is detected if the database is newer by more than two seconds.
///
/// Requires: nobody writes the database meanwhile. Throws MachineError.
std::string wal_damage(const std::filesystem::path& database);

/// Throws MachineError if wal_damage finds something, as throw_database_error does for a damaged
/// page. Does nothing while a driver is running, or if the files change meanwhile: SQLite then has
/// its own record of the -wal in the -shm.
void require_whole_wal(const std::filesystem::path& store_folder,
                       const std::filesystem::path& database);

}  // namespace rethink
