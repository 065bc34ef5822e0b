// Trials that ended after their driver, and that no run asks for any more.
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "results/store/store.h"

namespace rethink {

/// Trials that are running in the database, on which nobody works any more and whose folder has a result; without
/// those of `expected`, which a run takes over by itself. `folder` is the store's.
std::vector<std::string> finished_orphans(Store& store, const std::filesystem::path& folder,
                                          const std::set<std::string>& expected = {});

/// Makes the rows of these trials say what their folders say, and the states of trials that need them.
/// A trial whose result is damaged becomes one that waits. Requires: Access::write.
void take_over(Store& store, const std::filesystem::path& folder,
               const std::vector<std::string>& orphans);

}  // namespace rethink
