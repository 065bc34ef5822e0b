#include "core/system/shown_name.h"

#include <map>
#include <mutex>

namespace rethink {
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
