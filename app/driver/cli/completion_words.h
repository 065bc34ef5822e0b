// Candidates for the last word of a command line, for the shell's completion.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "app/driver/command.h"

namespace rethink {

/// `words` stand behind `rethink`; all but the last are complete. Commands, options, the values
/// that an option's text lists, profiles, stages, sweeps, tables, figures, claims, trials of the
/// store, metrics, keys, plug-ins: those that begin as the last word does. Empty where only a file
/// can be meant. What cannot be read, such as a store that is not there, offers nothing.
std::set<std::string> completion_words(const CommandContext& context,
                                       const std::vector<std::string>& words);

}  // namespace rethink
