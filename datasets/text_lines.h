// Files of which every line stands for itself.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace rethink {

/// The lines of a file, without what ends them (\n or \r\n). Throws MachineError when it cannot be
/// read.
std::vector<std::string> read_lines(const std::filesystem::path& file);

}  // namespace rethink
