// Where workers keep prepared data sets and the hashes of files.
#pragma once

#include <filesystem>

namespace rethink {

/// The user's cache, $XDG_CACHE_HOME/rethink or ~/.cache/rethink; STORE/cache where there is none, or
/// where it cannot be made, written or locked or has little room, which a line of the log says. Throws MachineError where STORE/cache is needed and is no folder.
std::filesystem::path usable_cache_folder(const std::filesystem::path& store);

}  // namespace rethink
