// A text to attach to a bug report: versions, machine, store, last errors; without names and paths
// of people.
#pragma once

#include <map>
#include <string>

#include "app/driver/command.h"

namespace rethink {

/// `text` with every name of a map's keys replaced by its value, the longest first: a folder by "STORE",
/// a person's by "USER". A name counts as a whole word alone: user "al" leaves "final" as it is.
std::string without_names(const std::string& text, const std::map<std::string, std::string>& names);

/// Markdown. `findings`: the lines of `rethink doctor`.
std::string bug_report(const CommandContext& context, const std::string& findings);

}  // namespace rethink
