// Names of all kill points, read from the sources of the program.
#pragma once

#include <filesystem>
#include <map>
#include <string>

namespace rethink {

/// Returns the name of each kill_point("...") in the .cpp and .h files below `folder`, and its file
/// (relative to `folder`).
std::map<std::string, std::string> kill_point_names(const std::filesystem::path& folder);

}  // namespace rethink
