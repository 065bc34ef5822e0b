// Detects damage to the -wal of rethink.db. SQLite takes damage for the end of the file and ignores
// what follows, as it ignores the unfinished transaction of a killed writer.
#pragma once

#include <filesystem>
#include <string>

namespace rethink {

/// What shows that committed transactions are lost from the -wal of `database`, or that the -wal is of
/// another database: "rethink.db-wal is damaged at frame 3". Empty: nothing shows it. Damage to the
/// last transaction alone is not seen where the -shm is missing, since a killed writer may leave the
/// same, and neither is damage to a last transaction of more than 1,000 pages. A -wal of another database is
/// seen where the database is newer by more than two seconds. Requires: nobody writes the
/// database meanwhile. Throws MachineError.
std::string wal_damage(const std::filesystem::path& database);

/// Throws MachineError, as throw_database_error does of a damaged page, where wal_damage finds
/// something. Does nothing while a driver works on the store or where the files change meanwhile: SQLite
/// then has its own record of the -wal in the -shm.
void require_whole_wal(const std::filesystem::path& store_folder,
                       const std::filesystem::path& database);

}  // namespace rethink
