// The system's folder for temporary files, and one of our own in it.
#pragma once

#include <filesystem>

namespace rethink {

/// What TMPDIR names, else /tmp. Throws MachineError, which names the variable, where
/// that is not a folder.
std::filesystem::path temporary_folder();

/// A new folder of our own there, which is removed with all that is in it (a killed process leaves
/// it). Throws MachineError.
class ScratchFolder {
 public:
  ScratchFolder();
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace rethink
