// A folder that lives as long as a test.
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

/// A folder in memory where the system has one: for tests of many steps, each of which waits for
/// the disk otherwise.
std::filesystem::path memory_folder();

/// Writes `text` to `file`, making its folders.
void write_text(const std::filesystem::path& file, const std::string& text);
std::string read_text(const std::filesystem::path& file);

}  // namespace rethink
