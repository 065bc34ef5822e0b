// Whether there is what a person named in a file or on a command line.
#pragma once

#include <filesystem>

namespace rethink {

/// A name that is longer than the system allows names nothing. Throws std::filesystem_error where
/// the system may not look.
bool is_there(const std::filesystem::path& path);
bool is_file_there(const std::filesystem::path& path);
/// Whether something there can be read as a file: a file, a pipe or a device, but no folder.
bool is_readable_there(const std::filesystem::path& path);
/// Whether the system says that nothing has this name. False where it may not look: another user's
/// file may be there.
bool is_surely_missing(const std::filesystem::path& path);

}  // namespace rethink
