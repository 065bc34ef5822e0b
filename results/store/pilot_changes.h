// Takes into the index what pilots changed in the folders of trials.
#pragma once

#include <filesystem>
#include <set>
#include <string>

#include "results/store/store.h"

namespace rethink {

/// Makes the rows again of trials that pilots list as changed, of trials that the index calls running, and of `more`.
/// Requires: Access::write.
void take_in_pilots(Store& index, const std::filesystem::path& store,
                    const std::set<std::string>& more = {});

/// The same for a command that only reads, `command`: nothing where the store has no pilots, where another process holds
/// its lock, or where this user may not write.
void take_in_pilots_if_free(const std::filesystem::path& store, const std::string& command);

}  // namespace rethink
