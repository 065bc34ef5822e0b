// Input from pipes and devices, which can be read only once: its bytes are kept, and messages have a name
// for it.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace rethink {

/// The bytes that keep_piped_bytes got for the pipe or device that `path` names now. Opens nothing: a
/// named pipe without a writer would block.
std::optional<std::string> piped_bytes(const std::filesystem::path& path);

/// Keeps all that the pipe or device at `path` gave, until the process ends.
void keep_piped_bytes(const std::filesystem::path& path, const std::string& bytes);

/// Whether `name`, as messages show it, is standard input, a pipe or a device: a command cannot read it
/// again.
bool names_a_pipe(const std::string& name);

/// What messages call standard input.
inline constexpr const char* kStandardInput = "standard input";

/// From now on `file` is called `name` in messages: kStandardInput. Text from a pipe lies in a scratch
/// file while a command reads it, and messages are to say where it came from.
void show_file_as(const std::filesystem::path& file, const std::string& name);

/// What `file` is called in messages: its path unless show_file_as gave it a name.
std::string shown_name(const std::filesystem::path& file);

/// The folder that relative paths within `file` begin in: its own, or, for text from a pipe, the
/// working folder, as an empty path.
std::filesystem::path folder_of_names_in(const std::filesystem::path& file);

}  // namespace rethink
