// The folders of a store that may be links, as to a larger disk, and the store that they belong to.
#pragma once

#include <filesystem>
#include <string>

namespace rethink {

/// Why `trials` or `sweeps` of `store` is a link to a folder of another store, or leads nowhere: "PATH:
/// is a link to ...; what to do"; "" where neither is. `cp -r` copies a link as a link, so that the copy and the
/// original would remove each other's files. A linked folder is this store's where its file `.store`
/// says so, and without that file where the folder was made after the store, which no copy can say.
std::string link_to_another_store(const std::filesystem::path& store);

/// Throws MachineError with link_to_another_store; writes the file `.store` into linked folders.
/// Requires: this process holds the StoreLock.
void claim_linked_folders(const std::filesystem::path& store);

}  // namespace rethink
