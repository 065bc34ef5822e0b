// The owner of a file, for messages about files that the user may not read, write or remove.
#pragma once

#include <filesystem>
#include <string>

namespace rethink {

/// "ada" or "user 1007".
std::string user_name(unsigned int id);
/// Returns "belongs to ada (mode 0700)"; empty if the owner cannot be read.
std::string owner_text(const std::filesystem::path& path);
/// Returns whether `folder` is like /tmp: only the owner of a file, or of the folder, may remove
/// the file.
bool is_sticky_for_us(const std::filesystem::path& folder);
/// Returns "have ada run `chmod o+r /store/lock`", or "give `chmod u+r ...`" if `path` is our own.
/// The command gives `rights` ("rw"; "-t" removes that bit) to the class of users that we belong to
/// for `path`.
std::string chmod_advice(const std::filesystem::path& path, const std::string& rights,
                         bool with_all_below = false);
/// Returns "; DIR belongs to ada (mode 0700), and you are bob: ...": why the system refused `path`
/// with this errno, and the command that helps. It follows the system's words in a message. Empty
/// for other errors, or if the owner cannot be read.
std::string refusal_text(const std::filesystem::path& path, int number);
/// Returns the message of `error` for a user: the path, the system's words, and the file or folder
/// above it that denies access, with its owner. A removed current folder is named as such.
std::string file_trouble(const std::filesystem::filesystem_error& error);

/// Removes `path` and everything below it; of a link, only the link. Throws MachineError, which
/// names the file or folder that may not be removed, its owner and the command that helps. All
/// other files are then removed.
void remove_tree(const std::filesystem::path& path);

}  // namespace rethink
