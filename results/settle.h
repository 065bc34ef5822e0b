// States that follow from other trials and from the sweeps, used where rows are made from folders.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "results/store.h"

namespace rethink {

/// Makes the rows of one trial from its folder; its state as far as the folder tells it, else waiting. A
/// trial whose events are damaged or end before its result is added to `damaged`.
void index_trial(Store& store, const std::filesystem::path& folder, const std::string& trial,
                 std::vector<std::string>& damaged);

/// Makes waiting trials cancelled when every sweep that has them gave them up, blocked when a need cannot be
/// done any more, ready when all needs are done.
void settle_states(Store& store);

}  // namespace rethink
