// Input from pipes and devices, which can be read only once: its bytes are kept, and messages have a name
// for it.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace rethink {

/// Returns the bytes that keep_piped_bytes read from the pipe or device that `path` names now.
/// Opens nothing, since a named pipe without a writer would block.
std::optional<std::string> piped_bytes(const std::filesystem::path& path);

/// Keeps all that the pipe or device at `path` gave, until the process ends.
void keep_piped_bytes(const std::filesystem::path& path, const std::string& bytes);

/// Returns whether `name`, as shown in messages, is standard input, a pipe or a device, which a
/// command cannot read again.
bool names_a_pipe(const std::string& name);

/// The name of standard input in messages.
inline constexpr const char* kStandardInput = "standard input";

/// Shows `file` as `name` in messages: kStandardInput. While a command reads piped text, the text
/// is in a scratch file, but messages name its source.
void show_file_as(const std::filesystem::path& file, const std::string& name);

/// Returns the name of `file` in messages: its path, or the name from show_file_as.
std::string shown_name(const std::filesystem::path& file);

/// The folder that relative paths within `file` begin in: its own, or, for text from a pipe, the
/// working folder, as an empty path.
std::filesystem::path folder_of_names_in(const std::filesystem::path& file);

}  // namespace rethink
