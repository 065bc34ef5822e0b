// Finds the folder of a store's database. SQLite's WAL needs shared memory and so a local disk. If
// the store is on a network file system, the trials' folders stay there, and the database is below
// $XDG_STATE_HOME/rethink/, in a folder for this store alone, <uuid>-<inode>-<device>. A copy of a
// store has the same uuid but another inode, so it gets its own database. A renamed store keeps its
// database. A disk may reuse an inode, for example for a restored backup: the folder's file `proof`
// says when the store's uuid file was made. If that does not fit, the database belongs to another
// store, and the folder is <uuid>-<inode>-<device>-2.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace rethink {

/// Returns whether `path` is on a disk that other machines may have mounted too.
bool is_network_disk(const std::filesystem::path& path);

/// Returns the contents of store/uuid; "" if it is missing, or if its text must not become a part
/// of a path.
std::string store_uuid(const std::filesystem::path& store_folder);
/// Makes store/uuid if it is missing. Durable.
void give_uuid(const std::filesystem::path& store_folder);

/// Returns what identifies this store: the inode of its folder, and inode and time of creation of
/// its uuid file. A copy differs. Requires: the store has a uuid. Throws as throw_file_error.
std::string proof_of_store(const std::filesystem::path& store_folder);

/// Returns whether a database exists. An empty file, which a full disk may leave, does not count.
bool has_database(const std::filesystem::path& database);

/// Throws ConfigError if `store`, as a user named it, is a file that is not a database, so neither
/// a store's folder nor a snapshot.
void require_store_or_snapshot(const std::filesystem::path& store);

/// Throws MachineError if the database, or a file of SQLite beside it, is something for which
/// SQLite would wait (a pipe), that has no end (a device), or that leads elsewhere (a link beside
/// it).
void require_plain_database(const std::filesystem::path& database);

/// Throws MachineError if the database is hard-linked. A writer here would change the database of
/// another store, and SQLite would keep a separate -wal for each name.
void require_single_name(const std::filesystem::path& database,
                         const std::filesystem::path& store_folder);

/// Returns whether `folder`, or the snapshot of that name, has something to read. Throws
/// MachineError if there are trials and their database is missing, so that nobody takes the store
/// for empty.
bool is_store(const std::filesystem::path& folder);

/// Returns the database's path: in the store's folder, or, for a store on a network file system,
/// below $XDG_STATE_HOME. A snapshot is its own database.
std::filesystem::path database_path(const std::filesystem::path& store_folder);
/// Returns the same for a network disk. Its device number may change with each mount. A database of
/// the same uuid and inode is the store's if it was made for a store at the same path. Throws
/// MachineError if the database is a link, which a copy of the store would share.
std::filesystem::path database_path(const std::filesystem::path& store_folder, bool network);

/// Returns database_path(), and makes its folder. A folder apart from the store is marked with the
/// store's path and proof. A folder without a proof, from a version before 0.2.0, becomes this
/// store's. Throws MachineError, which names XDG_STATE_HOME, if this fails.
std::filesystem::path make_database_place(const std::filesystem::path& store_folder);
std::filesystem::path make_database_place(const std::filesystem::path& store_folder, bool network);

/// Returns the place where earlier versions kept one database for all copies of a store, if
/// something is there.
std::optional<std::filesystem::path> former_database_place(
    const std::filesystem::path& store_folder);

/// A folder below $XDG_STATE_HOME/rethink/ whose database belongs to no store at `store`, the path
/// written beside it.
struct UnusedPlace {
  std::filesystem::path place, store;
};
/// Returns all such folders, by path, except the folder that `store_folder` uses. This does not
/// prove that they are unused: a store may have been renamed, or be on an unmounted disk. Folders
/// without a path beside the database, and folders whose store cannot be looked at, are left out.
std::vector<UnusedPlace> unused_database_places(const std::filesystem::path& store_folder);

/// Returns what is wrong with the folder of a database apart from its store: it is on a network
/// disk too, or its locks do not exclude others. Returns "" if nothing is wrong, or if the store is
/// on a local disk. Throws MachineError if the folder may not be written.
std::string trouble_of_database_place(const std::filesystem::path& store_folder);

}  // namespace rethink
