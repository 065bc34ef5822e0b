// How people name trials: the id, or as many of its first digits as are enough.
#pragma once

#include <filesystem>
#include <string>

namespace rethink {

/// The id in `store` that begins with `name`. Throws ConfigError when there is none, or more than one.
std::string find_trial(const std::filesystem::path& store, const std::string& name);

}  // namespace rethink
