// Recognizes symbolic links to files that do not exist, as git-annex leaves them in a clone before
// `git annex get`.
#pragma once

#include <filesystem>
#include <string>

namespace rethink {

/// "PATH: is a link to X, which does not exist; ..." with what to do, of `path` or of the first folder
/// above it that is such a link; "" where none is.
std::string trouble_of_dangling_link(const std::filesystem::path& path);

/// Throws this message as a ConfigError.
void refuse_dangling_link(const std::filesystem::path& path);

}  // namespace rethink
