// Text files, whole or line by line.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace rethink {

/// The text of a file, without the byte order mark at its beginning. Throws MachineError when it
/// cannot be read, ConfigError with the line when it is not UTF-8.
std::string read_utf8(const std::filesystem::path& file);

/// The lines of such a file, without what ends them (\n or \r\n).
std::vector<std::string> read_lines(const std::filesystem::path& file);

/// Without the spaces, tabs and line ends at its beginning and end.
std::string_view trimmed(std::string_view text);

}  // namespace rethink
