#include "experiments/attempt/command/folder_copy.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <map>
#include <vector>

#include "core/system/file.h"
#include "core/system/hash.h"

namespace rethink {
namespace {

namespace fs = std::filesystem;

/// Regular files below `folder` by their relative paths; one file is "".
std::map<std::string, fs::path> files_below(const fs::path& folder) {
  std::map<std::string, fs::path> files;
  if (!fs::is_directory(folder)) {
    files[""] = folder;
    return files;
  }
  constexpr auto kLinks = fs::directory_options::follow_directory_symlink;
  for (const auto& entry : fs::recursive_directory_iterator(folder, kLinks)) {
    if (entry.is_regular_file()) files[entry.path().lexically_relative(folder)] = entry.path();
  }
  return files;
}

struct Look {
  uintmax_t bytes = 0;
  int64_t changed_ns = 0;
  bool operator==(const Look&) const = default;
};

Look look_at(const fs::path& file) {
  struct stat found {};
  if (stat(file.c_str(), &found) != 0) return {};
  return {static_cast<uintmax_t>(found.st_size),
          found.st_mtim.tv_sec * 1'000'000'000 + found.st_mtim.tv_nsec};
}

}  // namespace

std::string sha256_of_tree(const fs::path& folder) {
  return sha256_of_files(files_below(folder));
}

std::string sha256_of_files(const std::map<std::string, fs::path>& files) {
  std::string text;
  for (const auto& [name, file] : files) {
    const bool runs = (fs::status(file).permissions() & fs::perms::owner_exec) != fs::perms::none;
    text += fmt::format("{} {} {}\n", sha256_file(file), runs ? "x" : "-", name);
  }
  return sha256_hex(text);
}

void copy_tree(const fs::path& source, const fs::path& target) {
  try {
    if (fs::is_directory(source)) fs::create_directory(target);
    for (const auto& [name, file] : files_below(source)) {
      const fs::path copy = name.empty() ? target : target / name;
      fs::create_directories(copy.parent_path());
      const Look before = look_at(file);
      fs::copy_file(file, copy);
      if (look_at(file) != before || fs::file_size(copy) != before.bytes)
        throw ChangedMeanwhile(fmt::format("{} changed while it was copied", file.string()));
    }
    sync_disk(target);
  } catch (...) {
    std::error_code ignored;
    fs::remove_all(target, ignored);
    throw;
  }
}

}  // namespace rethink
