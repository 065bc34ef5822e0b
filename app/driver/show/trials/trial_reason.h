// The reasons for a trial's state and for the outcomes of its attempts, for `show` and `why`.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "results/store/store.h"

namespace rethink {

/// Returns the trial's message; for a diverged trial its last warning, which describes the loss. May be empty.
std::string trial_reason(Store& store, const std::string& trial);

/// Returns each attempt's message by its number; for a diverged attempt its last warning, also after a retry.
std::map<int64_t, std::string> attempt_reasons(Store& store, const std::string& trial);

}  // namespace rethink
