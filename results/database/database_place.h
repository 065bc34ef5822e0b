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

/// Whether `path` lies on a disk that other machines may have mounted too.
bool is_network_disk(const std::filesystem::path& path);

/// What store/uuid says; empty when there is none, or something else that would become a part of a
/// path.
std::string store_uuid(const std::filesystem::path& store_folder);
/// Makes store/uuid, unless it is there. Durable.
void give_uuid(const std::filesystem::path& store_folder);

/// What only this store has: inode of its folder, inode and time of creation of its uuid file. A copy
/// differs. Requires: the store has a uuid. Throws as throw_file_error.
std::string proof_of_store(const std::filesystem::path& store_folder);

/// Whether there is a database: an empty file, as a full disk may leave, is none.
bool has_database(const std::filesystem::path& database);

/// Throws ConfigError where `store`, as a user named it, is a file that is no database: neither the
/// folder of a store nor a snapshot.
void require_store_or_snapshot(const std::filesystem::path& store);

/// Throws MachineError where the database, or what SQLite keeps beside it, is something that SQLite
/// would wait for (a pipe), read without end (a device) or write elsewhere (a link beside it).
void require_plain_database(const std::filesystem::path& database);

/// Throws MachineError where the database is hard-linked: a writer here would change the database of
/// another store, and SQLite would keep a -wal of its own for each name.
void require_single_name(const std::filesystem::path& database,
                         const std::filesystem::path& store_folder);

/// Whether there is anything to read in `folder`, or in the snapshot of that name. Throws
/// MachineError where there are trials and their database is gone: nobody may take that for an
/// empty store.
bool is_store(const std::filesystem::path& folder);

/// The database's place: in the store's folder, or on a network file system below $XDG_STATE_HOME;
/// a snapshot is its own.
std::filesystem::path database_path(const std::filesystem::path& store_folder);
/// The same for a disk of that kind. A network disk may have another device number
/// after it was mounted again: a database of the same uuid and inode is the store's as long as it was
/// made for a store at the same path. Throws MachineError where the database is a link, as a copy of the
/// store would share it.
std::filesystem::path database_path(const std::filesystem::path& store_folder, bool network);

/// database_path(), with its folder made, and marked with the store's path and proof where it lies
/// apart; a place that has no proof, of a version before 0.2.0, becomes this store's.
/// Throws MachineError, which names XDG_STATE_HOME, when that cannot be.
std::filesystem::path make_database_place(const std::filesystem::path& store_folder);
std::filesystem::path make_database_place(const std::filesystem::path& store_folder, bool network);

/// Where versions that kept one database for all copies of a store had it, if something is there.
std::optional<std::filesystem::path> former_database_place(
    const std::filesystem::path& store_folder);

/// A folder below $XDG_STATE_HOME/rethink/ whose database is that of no store at `store`, the path
/// that was written beside it.
struct UnusedPlace {
  std::filesystem::path place, store;
};
/// All of them but the one that `store_folder` uses, by path. That does not prove that nobody needs
/// one: its store may have been renamed, or be on a disk that is not mounted. A folder without a path
/// beside its database, and one whose store cannot be looked at, are left out.
std::vector<UnusedPlace> unused_database_places(const std::filesystem::path& store_folder);

/// What is wrong with the folder of a database that lies apart from its store, or will when the store
/// is made: it is on a network disk too, or its locks do not keep others out. Empty: nothing is, or the
/// store is on a local disk. Throws MachineError when the folder may not be written.
std::string trouble_of_database_place(const std::filesystem::path& store_folder);

}  // namespace rethink
