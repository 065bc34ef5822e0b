#include "app/driver/cli/preset_files.h"

#include "experiments/plan/read/yaml_names.h"

namespace rethink {

std::map<std::string, std::filesystem::path> preset_files(
    const std::vector<std::filesystem::path>& paths) {
  std::map<std::string, std::filesystem::path> files;
  for (const std::filesystem::path& path : paths) {
    for (const auto& folder : {path / "experiments" / "presets", path / "presets"}) {
      for (const std::string& name : yaml_names({folder}))
        files.try_emplace(name, yaml_file(folder, name));
    }
  }
  return files;
}

}  // namespace rethink
