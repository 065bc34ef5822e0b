// Names of files in messages. Text from a pipe lies in a scratch file while a command reads it, and
// messages are to say where it came from.
#pragma once

#include <filesystem>
#include <string>

namespace rethink {

/// What messages call standard input.
inline constexpr const char* kStandardInput = "standard input";

/// From now on `file` is called `name` in messages: kStandardInput.
void show_file_as(const std::filesystem::path& file, const std::string& name);

/// What `file` is called in messages: its path unless show_file_as gave it a name.
std::string shown_name(const std::filesystem::path& file);

/// The folder that relative paths within `file` begin in: its own, or, for text from a pipe, the
/// working folder, as an empty path.
std::filesystem::path folder_of_names_in(const std::filesystem::path& file);

}  // namespace rethink
