// What can be named by the path of a YAML file.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace rethink {

/// The .yaml files below these folders, by their path in their folder without ending:
/// "bet/figure3". Sorted, each once; a folder that is not there has none.
std::vector<std::string> yaml_names(const std::vector<std::filesystem::path>& folders);

/// Where the sweeps below --path folders are, in the order of the search.
std::vector<std::filesystem::path> sweep_folders(const std::vector<std::filesystem::path>& paths);

}  // namespace rethink
