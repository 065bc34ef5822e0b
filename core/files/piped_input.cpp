#include "core/files/piped_input.h"

#include <sys/stat.h>

#include <map>
#include <mutex>
#include <tuple>

namespace rethink {

namespace {

/// The number of a descriptor is reused for other pipes; the inode tells them apart.
using PipeKey = std::tuple<std::filesystem::path, dev_t, ino_t>;

struct KeptPipes {
  std::mutex mutex;
  std::map<PipeKey, std::string> bytes;
};

KeptPipes& kept_pipes() {
  static KeptPipes pipes;
  return pipes;
}

bool is_stream(const struct stat& status) {
  return !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
}

std::optional<PipeKey> key_of_pipe(const std::filesystem::path& path) {
  struct stat status {};
  if (stat(path.c_str(), &status) != 0 || !is_stream(status)) return std::nullopt;
  return PipeKey{path, status.st_dev, status.st_ino};
}

}  // namespace

std::optional<std::string> piped_bytes(const std::filesystem::path& path) {
  const std::lock_guard lock(kept_pipes().mutex);
  if (kept_pipes().bytes.empty()) return std::nullopt;
  const std::optional<PipeKey> key = key_of_pipe(path);
  if (!key) return std::nullopt;
  const auto found = kept_pipes().bytes.find(*key);
  if (found == kept_pipes().bytes.end()) return std::nullopt;
  return found->second;
}

void keep_piped_bytes(const std::filesystem::path& path, const std::string& bytes) {
  const std::optional<PipeKey> key = key_of_pipe(path);
  if (!key) return;
  const std::lock_guard lock(kept_pipes().mutex);
  kept_pipes().bytes[*key] = bytes;
}

bool names_a_pipe(const std::string& name) {
  struct stat status {};
  return name == kStandardInput || (stat(name.c_str(), &status) == 0 && is_stream(status));
}

namespace {

struct ShownNames {
  std::mutex mutex;
  std::map<std::filesystem::path, std::string> by_file;
};

ShownNames& shown_names() {
  static ShownNames names;
  return names;
}

}  // namespace

void show_file_as(const std::filesystem::path& file, const std::string& name) {
  const std::lock_guard lock(shown_names().mutex);
  shown_names().by_file[file] = name;
}

std::string shown_name(const std::filesystem::path& file) {
  const std::lock_guard lock(shown_names().mutex);
  const auto found = shown_names().by_file.find(file);
  return found == shown_names().by_file.end() ? file.string() : found->second;
}

std::filesystem::path folder_of_names_in(const std::filesystem::path& file) {
  const std::lock_guard lock(shown_names().mutex);
  return shown_names().by_file.contains(file) ? std::filesystem::path() : file.parent_path();
}

}  // namespace rethink
