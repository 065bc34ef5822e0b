#include "experiments/attempt/command/left_files.h"

#include <algorithm>

namespace rethink {
namespace {

namespace fs = std::filesystem;

bool is_cache(const fs::path& path) {
  const std::string name = path.filename();
  return name.starts_with('.') || name == "__pycache__" || path.extension() == ".pyc";
}

}  // namespace

std::vector<std::string> files_left_in(const fs::path& folder, const fs::path& snapshot,
                                       const std::set<fs::path>& reported) {
  constexpr size_t kMostEntries = 5'000;
  std::vector<std::string> left;
  std::error_code failed;  // the program may have made a folder that cannot be read
  fs::recursive_directory_iterator entry(folder, failed);
  for (size_t seen = 0; !failed && entry != fs::end(entry) && seen < kMostEntries; ++seen) {
    const fs::path& path = entry->path();
    std::error_code ignored;
    if (is_cache(path) || reported.contains(path)) {
      entry.disable_recursion_pending();
    } else if (entry->is_regular_file(ignored) && !entry->is_symlink(ignored)) {
      const fs::path own = path.lexically_relative(folder);
      if (snapshot.empty() || !fs::exists(snapshot / own, ignored)) left.push_back(own);
    }
    entry.increment(failed);
  }
  std::ranges::sort(left);
  return left;
}

}  // namespace rethink
