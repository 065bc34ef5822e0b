// Candidates for the last word of a command line, for the shell's completion.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "app/driver/command.h"

namespace rethink {

/// Returns completions of the last of `words`, which follow `rethink`; all others are complete.
/// Completions are commands, options, values that an option's text lists, profiles, stages, sweeps,
/// tables, figures, claims, trials of the store, metrics, keys and plug-ins that begin like the
/// last word. Empty if only a file can be meant. Unreadable sources, such as a missing store,
/// contribute nothing.
std::set<std::string> completion_words(const CommandContext& context,
                                       const std::vector<std::string>& words);

}  // namespace rethink
