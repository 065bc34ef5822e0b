// The presets that there are (docs/sweeps.md).
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace rethink {

/// By group and name, "finetune/a3": PATH/experiments/presets/finetune/a3.yaml, or
/// PATH/presets/finetune/a3.yaml. Of equal names the first, as a sweep takes it.
std::map<std::string, std::filesystem::path> preset_files(
    const std::vector<std::filesystem::path>& paths);

}  // namespace rethink
