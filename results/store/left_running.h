// Finds trials that the database calls running although their driver died.
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "results/store/store.h"

namespace rethink {

/// Those on which nobody works any more, without those of `expected`, which a run takes over by itself. `folder` is
/// the store's. Requires: no driver works.
std::vector<std::string> left_running(Store& store, const std::filesystem::path& folder,
                                      const std::set<std::string>& expected = {});

/// Trials whose workers go on. Requires: no driver works. Cost: a look at the lock of each trial that has begun and not
/// ended.
std::set<std::string> workers_without_driver(Store& store, const std::filesystem::path& folder);

/// Makes the rows of these trials say what their folders say; one without a sound result is to be run. Requires:
/// Access::write.
void take_over(Store& store, const std::filesystem::path& folder,
               const std::vector<std::string>& trials);

}  // namespace rethink
