// Where specs are found: PATH/plots/tables/bet/table2.yaml is the table bet/table2.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "plots/spec_reader.h"

namespace rethink {

/// `kind` is tables, figures or claims. A name, or the path of a file. Throws ConfigError, with
/// what there is.
std::filesystem::path find_spec(const std::string& kind, const std::string& name,
                                const std::vector<std::filesystem::path>& paths);

/// Whether `word` means the spec `name`: "bet" all below bet/, "bet/figure3" that one.
bool means_spec(const std::string& word, const std::string& name);

/// Every spec of a kind, sorted; of equal names the first path's counts.
std::vector<std::string> spec_names(const std::string& kind,
                                    const std::vector<std::filesystem::path>& paths);

/// The tables of which every sweep is one of these files. A spec with mistakes is left out: it says
/// so when it is asked for.
std::vector<std::string> tables_of(const std::vector<std::filesystem::path>& sweeps,
                                   const std::vector<std::filesystem::path>& paths);

/// A sweep that a spec names by its path below one of `paths`. Throws ConfigError with its place
/// and the sweep files that may be meant.
std::filesystem::path find_spec_sweep(const Word& sweep,
                                      const std::vector<std::filesystem::path>& paths);

}  // namespace rethink
