// Sweeps whose files are missing although the database knows their trials.
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "results/folders/stored_trial.h"

namespace rethink {

/// Trials that a sweep has in the database and in none of `files`, the store's sweep files, by sweep
/// ("s", "s --profile p"): a file was removed, or a copy left it out.
std::map<std::string, std::set<std::string>> lost_sweeps(Store& store,
                                                         const std::vector<SweepFile>& files);

/// "sweep s: 2 trials of it are in no file of STORE/sweeps"
std::string lost_sweep_text(const std::string& sweep, size_t trials,
                            const std::filesystem::path& store);

}  // namespace rethink
