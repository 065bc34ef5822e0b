// All kill points of the program, from its sources.
#pragma once

#include <filesystem>
#include <map>
#include <string>

namespace rethink {

/// Name of each kill_point("...") in the .cpp and .h files below `folder`, and the file it stands
/// in (relative to `folder`).
std::map<std::string, std::string> kill_point_names(const std::filesystem::path& folder);

}  // namespace rethink
