// The reason for a trial's state, for `show` and `why`.
#pragma once

#include <string>

#include "results/store/store.h"

namespace rethink {

/// The trial's message; of a diverged trial its last warning, which says what the loss did. May be empty.
std::string trial_reason(Store& store, const std::string& trial);

}  // namespace rethink
