// Temporary folders that are removed at the end of a test.
#pragma once

#include <filesystem>
#include <string>

namespace rethink {

class TempFolder {
 public:
  explicit TempFolder(const std::filesystem::path& parent = std::filesystem::temp_directory_path());
  ~TempFolder();
  TempFolder(const TempFolder&) = delete;
  TempFolder& operator=(const TempFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

/// A folder in memory, if the system has one, for tests with many steps that would each wait for
/// the disk.
std::filesystem::path memory_folder();

/// Writes `text` to `file` and makes missing folders.
void write_text(const std::filesystem::path& file, const std::string& text);
std::string read_text(const std::filesystem::path& file);

}  // namespace rethink
