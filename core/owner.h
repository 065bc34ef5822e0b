// Whose a file is, for messages about files that one may not read, write or remove.
#pragma once

#include <filesystem>
#include <string>

namespace rethink {

/// "ada" or "user 1007".
std::string user_name(unsigned int id);
/// "belongs to ada (mode 0700)"; empty when that cannot be seen.
std::string owner_text(const std::filesystem::path& path);
/// "; DIR belongs to ada (mode 0700), and you are bob: ...": why `path` was refused to us, behind the
/// system's words; empty when that cannot be seen.
std::string refusal_text(const std::filesystem::path& path);
/// What `error` means for a user: the path, the system's words, and the file or folder above it that
/// keeps us out, with its owner. A current folder that was removed is named as that.
std::string file_trouble(const std::filesystem::filesystem_error& error);

/// Removes `path` with all that is below it; of a link the link alone. Throws
/// MachineError, which names the file or folder that may not be removed, its owner and the command
/// that helps; the rest is removed then.
void remove_tree(const std::filesystem::path& path);

}  // namespace rethink
