// Files that a program left in its own folder, which is removed when the attempt ends.
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <vector>

namespace rethink {

/// Returns the files below `folder` that are neither in `snapshot` nor in or below one of `reported`, as sorted paths
/// relative to `folder`. Hidden files and Python's caches are left out, links are not followed, and at most some
/// thousands of files are looked at. `snapshot` may be empty: no file is known.
std::vector<std::string> files_left_in(const std::filesystem::path& folder,
                                       const std::filesystem::path& snapshot,
                                       const std::set<std::filesystem::path>& reported);

}  // namespace rethink
