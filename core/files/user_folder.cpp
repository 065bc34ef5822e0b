#include "core/files/user_folder.h"

#include <cstdlib>

namespace rethink {

std::filesystem::path user_folder(const char* xdg, const std::filesystem::path& below_home) {
  if (const char* folder = std::getenv(xdg); folder && *folder) return folder;
  const char* home = std::getenv("HOME");
  return home && *home ? home / below_home : std::filesystem::path();
}

}  // namespace rethink
