// The folders of a store that may be links, for example to a larger disk, and their owner.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace rethink {

/// Why `trials`, `sweeps` or `piped` of `store` is a link to a folder of another store, leads nowhere or
/// is no folder: "PATH: is a link to ...; what to do"; "" where none is. `cp -r` copies a link as a link, so that the copy and the
/// original would remove each other's files. A linked folder is this store's where its file `.store`
/// says so, and without that file where the folder was made after the store, which no copy can say.
std::string link_to_another_store(const std::filesystem::path& store);

/// Throws MachineError with link_to_another_store, also where a pipe or a file is in the place of a folder; writes the file `.store` into linked folders.
/// Requires: this process holds the StoreLock.
void claim_linked_folders(const std::filesystem::path& store);

/// "PATH: is a link to ...", where `cache` is a link to a folder, which does no harm; else "".
std::string linked_cache(const std::filesystem::path& store);

/// Links below `piped` but those to files, which writing replaces, each as "PATH: is a link to ...; what to do". No store is marked
/// there, so that none is followed.
std::vector<std::string> links_below_piped(const std::filesystem::path& store);

/// Throws MachineError with link_to_another_store or the first of links_below_piped, before a sweep is
/// written to `piped`.
void require_own_piped(const std::filesystem::path& store);

}  // namespace rethink
