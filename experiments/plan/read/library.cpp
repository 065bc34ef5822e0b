#include "experiments/plan/read/library.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "core/error.h"
#include "core/files/named_file.h"
#include "core/yaml/yaml.h"

namespace rethink {

bool has_yaml_ending(const std::filesystem::path& file) {
  return file.extension() == ".yaml" || file.extension() == ".yml";
}

std::filesystem::path yaml_file(const std::filesystem::path& folder, const std::string& name) {
  const std::filesystem::path usual = folder / (name + ".yaml"), brief = folder / (name + ".yml");
  if (!is_file_there(brief)) return is_file_there(usual) ? usual : std::filesystem::path();
  if (is_file_there(usual)) {
    throw ConfigError("duplicate-name",
                      fmt::format("{} and {} have the same name; rename or remove one of them",
                                  usual.string(), brief.string()));
  }
  return brief;
}

namespace {

constexpr const char* kSweeps = "sweeps";

}  // namespace

struct Library::Kind {
  const char *name, *one, *room;
  const char* of_pipes = "";
};

const Library::Kind& Library::kind_called(const std::string& name) {
  static constexpr Kind kKinds[] = {{kSweeps, "sweep", "experiments",
                                     "; of pipes `plan` and `run` alone read a sweep, from - or "
                                     "<(...), and `run` keeps it in the "
                                     "store's folder `piped`: name its file there"},
                                    {"presets", "preset", "experiments"},
                                    {"tables", "table", "plots"},
                                    {"figures", "figure", "plots"},
                                    {"claims", "file of claims", "plots"}};
  const auto* const found =
      std::ranges::find_if(kKinds, [&](const Kind& kind) { return name == kind.name; });
  RETHINK_ASSERT(found != std::end(kKinds), name);
  return *found;
}

namespace {

/// Whether the file is a sweep, and not a spec or a file of another program.
bool is_sweep_file(const std::filesystem::path& file) {
  try {
    Problems ignored;
    const Yaml text = read_yaml(file, ignored);
    const Yaml *name = text.find("sweep"), *stages = text.find("stages");
    return name && name->is_scalar() && stages && stages->is_map();
  } catch (const ConfigError&) {
    return false;
  }
}

}  // namespace

Library::Library(const std::string& kind, const std::vector<std::filesystem::path>& paths)
    : kind_(kind_called(kind)) {
  for (const std::filesystem::path& path : paths) {
    folders_.push_back(path / kind_.room / kind);
    folders_.push_back(path / kind);
  }
  if (kind == kSweeps) flat_folders_ = paths;
}

std::vector<std::string> Library::names() const {
  std::set<std::string> names;
  for (const std::filesystem::path& folder : folders_) {
    if (!std::filesystem::is_directory(folder)) continue;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
      if (!has_yaml_ending(entry.path()) || !is_file_there(entry.path())) continue;
      names.insert(entry.path().lexically_relative(folder).replace_extension().generic_string());
    }
  }
  for (const std::filesystem::path& folder : flat_folders_) {
    std::error_code none;
    for (const auto& entry : std::filesystem::directory_iterator(folder, none)) {
      if (has_yaml_ending(entry.path()) && is_file_there(entry.path()) &&
          is_sweep_file(entry.path()))
        names.insert(entry.path().stem());
    }
  }
  return {names.begin(), names.end()};
}

bool Library::has(const std::string& name) const {
  return !find(name).empty();
}

std::filesystem::path Library::find(const std::string& name) const {
  const std::filesystem::path path = name;
  if (path.empty() || path.is_absolute() || path.lexically_normal() != path ||
      name.starts_with(".."))
    return {};  // the word is a path and not a name
  for (const std::filesystem::path& folder : folders_) {
    if (const auto file = yaml_file(folder, name); !file.empty()) return file;
  }
  if (path.has_parent_path()) return {};
  for (const std::filesystem::path& folder : flat_folders_) {
    if (const auto file = yaml_file(folder, name); !file.empty() && is_sweep_file(file))
      return file;
  }
  return {};
}

std::optional<std::string> Library::name_of(const std::filesystem::path& file) const {
  const auto whole = [](const std::filesystem::path& path) {
    return std::filesystem::weakly_canonical(std::filesystem::absolute(path));
  };
  for (const std::filesystem::path& folder : folders_) {
    auto inner = whole(file).lexically_relative(whole(folder));
    if (inner.empty() || *inner.begin() == "..") continue;
    const std::string name = inner.replace_extension().generic_string();
    try {
      const std::filesystem::path found = find(name);
      if (!found.empty() && whole(found) == whole(file)) return name;
    } catch (const ConfigError&) {  // two files have the name, so that it stands for neither
    }
  }
  return std::nullopt;
}

std::filesystem::path Library::file(const std::string& written) const {
  if (is_file_there(written)) return written;
  if (const auto file = find(written); !file.empty()) return file;
  if (is_there(written) && std::filesystem::is_directory(written))
    throw ConfigError("not-a-file",
                      fmt::format("{} is a folder, expected a {}", written, kind_.one));
  if (written == "-" || is_there(written)) {
    throw ConfigError("not-a-file", fmt::format("'{}' is not a file, expected a {}{}", written,
                                                kind_.one, kind_.of_pipes));
  }
  refuse_dangling_link(written);
  const std::vector<std::string> known = names();
  throw ConfigError(
      "unknown-name",
      fmt::format("there is no {} '{}'{}; name a file, or one of: {}", kind_.one, written,
                  did_you_mean(written, known),
                  known.empty() ? "none found; --path DIR names a checkout of rethink or a folder "
                                  "of your own"
                                : joined(known)));
}

}  // namespace rethink
