// Brings changes in the folders of trials into the index: those of pilots, and those of workers whose
// driver died.
#pragma once

#include <filesystem>
#include <set>
#include <string>

#include "results/store/store.h"

namespace rethink {

/// Rewrites the rows of trials that pilots list as changed, of trials that the index calls running,
/// and of `more`. Requires: Access::write.
void take_in_pilots(Store& index, const std::filesystem::path& store,
                    const std::set<std::string>& more = {});

/// Does the same for `command`, which only reads, and rewrites the rows of trials that the index calls
/// running although no process runs them. Does nothing without both, if another process holds the
/// store's lock, or if this user may not write.
void take_in_changes_if_free(const std::filesystem::path& store, const std::string& command);

}  // namespace rethink
