// Finds trials by the first digits of their ids.
#pragma once

#include <string>
#include <vector>

#include "results/store/store.h"

namespace rethink {

/// The one of `trials` whose id begins with `prefix`; empty where none does. Throws ConfigError,
/// with how many there are and the first of them, where several do.
std::string trial_beginning_with(const std::string& prefix, const std::vector<std::string>& trials);

/// The same for commands that change a trial. Throws ConfigError for fewer than 4 digits, too, as a
/// short word is more likely a slip of the pen.
std::string trial_to_change(const std::string& prefix, const std::vector<std::string>& trials);

/// Ids of the database that begin with `prefix`, ascending.
std::vector<std::string> trials_beginning_with(Store& store, const std::string& prefix);

/// The one trial whose id begins with `prefix`. Throws ConfigError: none, or several (it names
/// them).
std::string trial_with_prefix(Store& store, const std::string& prefix);

}  // namespace rethink
