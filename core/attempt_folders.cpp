#include "core/attempt_folders.h"

#include <charconv>
#include <string>
#include <string_view>

#include "core/store_file.h"

namespace rethink {

std::map<int64_t, std::filesystem::path> attempt_folders(
    const std::filesystem::path& trial_folder) {
  std::map<int64_t, std::filesystem::path> folders;
  if (!store_folder_problem(trial_folder).empty()) return folders;
  constexpr std::string_view kPrefix = "attempt-";
  for (const auto& entry : entries_of(trial_folder)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with(kPrefix)) continue;
    int64_t number = 0;
    const char* end = name.data() + name.size();
    const auto parsed = std::from_chars(name.data() + kPrefix.size(), end, number);
    if (parsed.ec == std::errc() && parsed.ptr == end) folders[number] = entry.path();
  }
  return folders;
}

}  // namespace rethink
