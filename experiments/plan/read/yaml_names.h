// What can be named by the path of a YAML file (.yaml or .yml), and the sweep that the command line
// names.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace rethink {

bool has_yaml_ending(const std::filesystem::path& file);

/// The YAML files below these folders, by their path in their folder without ending:
/// "bet/figure3". Sorted, each once; a folder that is not there has none.
std::vector<std::string> yaml_names(const std::vector<std::filesystem::path>& folders);

/// The file of that name below `folder`; empty where there is none. Throws ConfigError where there
/// are two, which differ in their ending.
std::filesystem::path yaml_file(const std::filesystem::path& folder, const std::string& name);

/// Where the sweeps below --path folders are, in the order of the search.
std::vector<std::filesystem::path> sweep_folders(const std::vector<std::filesystem::path>& paths);

/// Where presets are, each in a folder of the option that it is for.
std::vector<std::filesystem::path> preset_folders(const std::vector<std::filesystem::path>& paths);

/// The file of a sweep that the command line names: a path, or a name such as bet/diag_discount,
/// looked for as PATH/experiments/sweeps/NAME.yaml and PATH/sweeps/NAME.yaml in each of `paths`.
/// Throws ConfigError.
std::filesystem::path find_sweep(const std::string& name,
                                 const std::vector<std::filesystem::path>& paths);

}  // namespace rethink
