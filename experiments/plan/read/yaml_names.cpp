#include "experiments/plan/read/yaml_names.h"

#include <fmt/format.h>

#include <set>

#include "core/error.h"
#include "core/system/named_file.h"

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

namespace {

/// Of this program's own files, then of a folder of somebody's own.
std::vector<std::filesystem::path> folders_called(const std::string& name,
                                                  const std::vector<std::filesystem::path>& paths) {
  std::vector<std::filesystem::path> folders;
  for (const std::filesystem::path& path : paths) {
    folders.push_back(path / "experiments" / name);
    folders.push_back(path / name);
  }
  return folders;
}

}  // namespace

std::vector<std::filesystem::path> sweep_folders(const std::vector<std::filesystem::path>& paths) {
  return folders_called("sweeps", paths);
}

std::vector<std::filesystem::path> preset_folders(const std::vector<std::filesystem::path>& paths) {
  return folders_called("presets", paths);
}

std::filesystem::path find_sweep(const std::string& name,
                                 const std::vector<std::filesystem::path>& paths) {
  if (is_file_there(name)) return name;
  const std::vector<std::filesystem::path> folders = sweep_folders(paths);
  for (const auto& folder : folders) {
    if (const auto file = yaml_file(folder, name); !file.empty()) return file;
  }
  if (is_there(name) && std::filesystem::is_directory(name))
    throw ConfigError(fmt::format("{} is a folder, expected a sweep file", name));
  if (name == "-" || is_there(name)) {
    throw ConfigError(fmt::format(
        "'{}' is not a file; of pipes `plan` and `run` alone read a sweep, from - or <(...), and "
        "`run` keeps it in the store's folder `piped`: name its file there",
        name));
  }
  refuse_dangling_link(name);
  const std::vector<std::string> names = yaml_names(folders);
  throw ConfigError(fmt::format(
      "there is no sweep '{}'{}; name a file, or one of: {}", name, did_you_mean(name, names),
      names.empty() ? "none found; --path DIR names a checkout of rethink or a folder of your own"
                    : joined(names)));
}

}  // namespace rethink
