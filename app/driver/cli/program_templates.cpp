#include "app/driver/cli/program_templates.h"

namespace rethink {

std::map<std::string, std::filesystem::path> templates_below(
    const std::vector<std::filesystem::path>& paths) {
  std::map<std::string, std::filesystem::path> found;
  for (const std::filesystem::path& path : paths) {
    const std::filesystem::path folder = path / "experiments" / "templates";
    if (!std::filesystem::is_directory(folder)) continue;
    for (const auto& entry : std::filesystem::directory_iterator(folder))
      if (entry.is_directory()) found.emplace(entry.path().filename(), entry.path());
  }
  return found;
}

}  // namespace rethink
