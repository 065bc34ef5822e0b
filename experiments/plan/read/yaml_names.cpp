#include "experiments/plan/read/yaml_names.h"

#include <fmt/format.h>

#include <set>

#include "core/error.h"
#include "core/system/named_path.h"

namespace rethink {

bool has_yaml_ending(const std::filesystem::path& file) {
  return file.extension() == ".yaml" || file.extension() == ".yml";
}

std::vector<std::string> yaml_names(const std::vector<std::filesystem::path>& folders) {
  std::set<std::string> names;
  for (const std::filesystem::path& folder : folders) {
    if (!std::filesystem::is_directory(folder)) continue;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
      if (!has_yaml_ending(entry.path()) || !is_file_there(entry.path())) continue;
      names.insert(entry.path().lexically_relative(folder).replace_extension().generic_string());
    }
  }
  return {names.begin(), names.end()};
}

std::filesystem::path yaml_file(const std::filesystem::path& folder, const std::string& name) {
  const std::filesystem::path usual = folder / (name + ".yaml"), brief = folder / (name + ".yml");
  if (!is_file_there(brief)) return is_file_there(usual) ? usual : std::filesystem::path();
  if (is_file_there(usual)) {
    throw ConfigError(fmt::format("{} and {} have one name; rename or remove one of them",
                                  usual.string(), brief.string()));
  }
  return brief;
}

std::vector<std::filesystem::path> sweep_folders(const std::vector<std::filesystem::path>& paths) {
  std::vector<std::filesystem::path> folders;
  for (const std::filesystem::path& path : paths) {
    folders.push_back(path / "experiments" / "sweeps");
    folders.push_back(path / "sweeps");
  }
  return folders;
}

}  // namespace rethink
