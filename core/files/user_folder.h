// Folders of the user's own files, by the XDG Base Directory Specification.
#pragma once

#include <filesystem>

namespace rethink {

/// Returns the folder that the environment variable `xdg` names ("XDG_CACHE_HOME"), else `below_home` in HOME
/// (".cache"). Empty if neither variable is set.
std::filesystem::path user_folder(const char* xdg, const std::filesystem::path& below_home);

}  // namespace rethink
