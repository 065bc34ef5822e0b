// What came through pipes and devices, which can be read only once: some readers look at a file more
// than once, to tell what it holds or to say what is wrong with it.
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

}  // namespace rethink
