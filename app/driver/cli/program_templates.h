// Templates of `rethink init --template`: folders below experiments/templates of the installation or a checkout.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace rethink {

/// Returns the templates' folders by name. If several folders in `paths` have a template of the same
/// name, the first folder counts.
std::map<std::string, std::filesystem::path> templates_below(
    const std::vector<std::filesystem::path>& paths);

}  // namespace rethink
