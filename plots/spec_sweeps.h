// The sweeps that specs name.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/config/note.h"
#include "plots/spec_reader.h"

namespace rethink {

/// Returns whether `word` means the spec `name`: "bet" means all below bet/, "bet/figure3" that
/// one.
bool means_spec(const std::string& word, const std::string& name);

/// The tables of which every sweep is one of these files. A spec with mistakes is left out: it says
/// so when it is asked for.
std::vector<std::string> tables_of(const std::vector<std::filesystem::path>& sweeps,
                                   const std::vector<std::filesystem::path>& paths);

/// A sweep that a spec names: by its path from the spec's own file, else below one of `paths`, else by its name. Throws
/// ConfigError with its place and the sweep files that may be meant.
std::filesystem::path find_spec_sweep(const Word& sweep,
                                      const std::vector<std::filesystem::path>& paths);

/// Adds a problem for each `sweep` in a spec that find_spec_sweep would refuse, so that it is said beside the spec's other mistakes.
void check_sweeps_named(const Yaml& spec, const std::vector<std::filesystem::path>& paths,
                        Problems& problems);

/// Where a file beside the spec and another one below `paths` have the path that it writes: which of them is read; else "".
std::optional<Note> note_on_second_sweep(const Word& sweep,
                                         const std::vector<std::filesystem::path>& paths);

}  // namespace rethink
