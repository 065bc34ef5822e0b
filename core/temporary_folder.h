// The system's folder for temporary files.
#pragma once

#include <filesystem>

namespace rethink {

/// What TMPDIR names, else /tmp. Throws MachineError, which names the variable, where
/// that is not a folder.
std::filesystem::path temporary_folder();

}  // namespace rethink
