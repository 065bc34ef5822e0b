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

/// Returns the tables whose every sweep is one of these files. A spec with mistakes is left out,
/// since it reports them when it is used.
std::vector<std::string> tables_of(const std::vector<std::filesystem::path>& sweeps,
                                   const std::vector<std::filesystem::path>& paths);

/// Returns the file of a sweep that a spec names: by its path from the spec's file, else below one of `paths`, else by
/// its name. Throws ConfigError with its position and the sweep files that may be meant.
std::filesystem::path find_spec_sweep(const Word& sweep,
                                      const std::vector<std::filesystem::path>& paths);

/// Adds a problem for each `sweep` in a spec that find_spec_sweep would refuse, so that it is
/// reported with the spec's other mistakes.
void check_sweeps_named(const Yaml& spec, const std::vector<std::filesystem::path>& paths,
                        Problems& problems);

/// Returns a note on which file is read if the spec's path exists both beside the spec and below `paths`; else nothing.
std::optional<Note> note_on_second_sweep(const Word& sweep,
                                         const std::vector<std::filesystem::path>& paths);

}  // namespace rethink
