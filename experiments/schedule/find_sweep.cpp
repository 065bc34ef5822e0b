// From the name of a sweep on the command line to its file.
#include <fmt/format.h>

#include <set>

#include "core/error.h"
#include "experiments/schedule/plan.h"

namespace rethink {

std::filesystem::path find_sweep(const std::string& name,
                                 const std::vector<std::filesystem::path>& paths) {
  if (std::filesystem::is_regular_file(name)) return name;
  std::vector<std::filesystem::path> folders;
  for (const auto& path : paths) {
    folders.push_back(path / "experiments" / "sweeps");
    folders.push_back(path / "sweeps");
  }
  for (const auto& folder : folders) {
    if (std::filesystem::is_regular_file(folder / (name + ".yaml")))
      return folder / (name + ".yaml");
  }
  std::set<std::string> known;
  for (const auto& folder : folders) {
    if (!std::filesystem::is_directory(folder)) continue;
    for (const auto& file : std::filesystem::recursive_directory_iterator(folder)) {
      if (file.path().extension() != ".yaml") continue;
      known.insert(std::filesystem::relative(file.path(), folder).replace_extension().string());
    }
  }
  const std::vector<std::string> names(known.begin(), known.end());
  throw ConfigError(fmt::format("there is no sweep '{}'{}; name a file, or one of: {}", name,
                                did_you_mean(name, names),
                                names.empty() ? "none found, see --path" : joined(names)));
}

}  // namespace rethink
