// Trials that `cancel` or `retry` leaves as they are: their states, and what helps instead.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "results/store/store.h"

namespace rethink {

using LeftAlone = std::map<TrialState, std::vector<std::string>>;

/// ": 1 is done, 2 are running"; empty where there are none.
std::string states_text(const LeftAlone& left);

/// What helps who wanted to cancel trials that have ended; empty where none have. `store_option`:
/// " --store DIR" where who asks has to type it.
std::string advice_on_ended(const LeftAlone& left, const std::string& store_option);

/// What helps who wanted to retry trials that no retry lets run again.
std::string advice_on_unretried(const LeftAlone& left, const std::string& store_option);

}  // namespace rethink
