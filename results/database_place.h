// SQLite's WAL needs shared memory and so a local disk: on a network file system the trials'
// folders stay where they are and the database lies below $XDG_STATE_HOME/rethink/<store uuid>/.
#pragma once

#include <filesystem>
#include <string>

namespace rethink {

/// Whether `path` lies on a disk that other machines may have mounted too.
bool is_network_disk(const std::filesystem::path& path);

/// What store/uuid says; empty when there is none.
std::string store_uuid(const std::filesystem::path& store_folder);
/// Makes store/uuid, unless it is there. Durable.
void give_uuid(const std::filesystem::path& store_folder);

/// Whether there is a database: an empty file, as a full disk may leave, is none.
bool has_database(const std::filesystem::path& database);

/// Throws MachineError where the database, or what SQLite keeps beside it, is something that SQLite
/// would wait for (a pipe), read without end (a device) or write elsewhere (a link beside it).
void require_plain_database(const std::filesystem::path& database);

/// Whether there is anything to read in `folder`, or in the snapshot of that name. Throws
/// MachineError where there are trials and their database is gone: nobody may take that for an
/// empty store.
bool is_store(const std::filesystem::path& folder);

/// database_path() of store.h, for a disk of that kind.
std::filesystem::path database_path(const std::filesystem::path& store_folder, bool network);

}  // namespace rethink
