// The system's folder for temporary files, and one of our own in it.
#pragma once

#include <filesystem>

namespace rethink {

/// Returns the folder in TMPDIR, else /tmp. Throws MachineError, which names the variable, if it is
/// not a folder.
std::filesystem::path temporary_folder();

/// A new folder of our own in this folder. It is removed with its contents, unless the process is
/// killed. Throws MachineError.
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
