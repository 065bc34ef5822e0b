// The folders of a store that may be links, for example to a larger disk, and their owner.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace rethink {

/// Returns why `trials`, `sweeps` or `piped` of `store` is a link to a folder of another store, leads nowhere or is not
/// a folder: "PATH: is a link to ...; what to do"; "" if none is. `cp -r` copies a link as a link, so copy and original
/// would remove each other's files. A linked folder belongs to this store if its file `.store` says so; without that
/// file, if the folder is younger than the store, as in no copy.
std::string link_to_another_store(const std::filesystem::path& store);

/// Throws MachineError with link_to_another_store, and if a pipe or a file is in place of a folder.
/// Writes the file `.store` into linked folders. Requires: this process holds the StoreLock.
void claim_linked_folders(const std::filesystem::path& store);

/// Returns "PATH: is a link to ..." if `cache` is a link to a folder, which is harmless; else "".
std::string linked_cache(const std::filesystem::path& store);

/// Returns links below `piped`, each as "PATH: is a link to ...; what to do". Links to files are left out, since
/// writing replaces them. Folders below `piped` have no mark of their store, so no link is followed.
std::vector<std::string> links_below_piped(const std::filesystem::path& store);

/// Throws MachineError with link_to_another_store or the first of links_below_piped. Call it before
/// a sweep is written to `piped`.
void require_own_piped(const std::filesystem::path& store);

}  // namespace rethink
