// The folder of a store: the names at its top that distinguish it from other folders.
#pragma once

#include <filesystem>

namespace rethink {

/// File with the store's UUID, which every command that writes makes first.
constexpr const char* kUuidFile = "uuid";
/// The database. A store on a network disk has it elsewhere (results/database/database_place.h).
constexpr const char* kDatabaseFile = "rethink.db";

/// Returns whether `folder` is a store: it has a database, or trials beside a UUID, since files named "uuid" and
/// folders named "trials" are in other projects too. False if the folder may not be read. An incomplete store is
/// not a store: `db rebuild` and the lock check for each part of one.
bool is_store_folder(const std::filesystem::path& folder);

}  // namespace rethink
