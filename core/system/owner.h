// The owner of a file, for messages about files that the user may not read, write or remove.
#pragma once

#include <filesystem>
#include <string>

namespace rethink {

/// "ada" or "user 1007".
std::string user_name(unsigned int id);
/// "belongs to ada (mode 0700)"; empty when that cannot be seen.
std::string owner_text(const std::filesystem::path& path);
/// Whether `folder` is one as /tmp, from which only the owners of files may remove them, and its own.
bool is_sticky_for_us(const std::filesystem::path& folder);
/// "have ada run `chmod o+r /store/lock`", or "give `chmod u+r ...`" where `path` is our own: gives
/// `rights` ("rw"; "-t" takes that bit away) to the class of users that we belong to for `path`.
std::string chmod_advice(const std::filesystem::path& path, const std::string& rights,
                         bool with_all_below = false);
/// "; DIR belongs to ada (mode 0700), and you are bob: ...": why `path` was refused to us with this
/// errno, and the command that helps, behind the system's words; empty when that cannot be seen and for
/// other errors.
std::string refusal_text(const std::filesystem::path& path, int number);
/// What `error` means for a user: the path, the system's words, and the file or folder above it that
/// keeps us out, with its owner. A current folder that was removed is named as that.
std::string file_trouble(const std::filesystem::filesystem_error& error);

/// Removes `path` with all that is below it; of a link the link alone. Throws
/// MachineError, which names the file or folder that may not be removed, its owner and the command
/// that helps; the rest is removed then.
void remove_tree(const std::filesystem::path& path);

}  // namespace rethink
