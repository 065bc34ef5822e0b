// Finds trials by the first digits of their ids.
#pragma once

#include <string>
#include <vector>

#include "results/store/store.h"

namespace rethink {

/// Returns the only one of `trials` whose id begins with `prefix`; "" if none does. Throws
/// ConfigError, with the number and the first of them, if several do.
std::string trial_beginning_with(const std::string& prefix, const std::vector<std::string>& trials);

/// Returns the same for commands that change a trial. Also throws ConfigError for fewer than 4
/// digits, since a short word is more likely a slip.
std::string trial_to_change(const std::string& prefix, const std::vector<std::string>& trials);

/// Returns the ids in the database that begin with `prefix`, ascending.
std::vector<std::string> trials_beginning_with(Store& store, const std::string& prefix);

/// Returns the only trial whose id begins with `prefix`. Throws ConfigError if there is none, or
/// several (it names them).
std::string trial_with_prefix(Store& store, const std::string& prefix);

}  // namespace rethink
