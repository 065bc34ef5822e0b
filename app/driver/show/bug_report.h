// A text to attach to a bug report: versions, machine, store, last errors; without users' names and
// paths.
#pragma once

#include <map>
#include <string>

#include "app/driver/command.h"

namespace rethink {

/// Returns `text` with every key of the map replaced by its value, the longest key first: a folder by "STORE", a user's
/// name by "USER". Only whole words are replaced: user "al" does not change "final".
std::string without_names(const std::string& text, const std::map<std::string, std::string>& names);

/// Returns the report as Markdown. `findings` are the lines of `rethink doctor`.
std::string bug_report(const CommandContext& context, const std::string& findings);

}  // namespace rethink
