// From the name of a sweep on the command line to its file.
#include <fmt/format.h>

#include "core/error.h"
#include "core/system/dangling_link.h"
#include "core/system/named_path.h"
#include "experiments/plan/plan.h"
#include "experiments/plan/read/yaml_names.h"

namespace rethink {

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
