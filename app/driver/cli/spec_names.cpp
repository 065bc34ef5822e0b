#include "app/driver/cli/spec_names.h"

#include <fmt/format.h>

#include "core/config/yaml.h"
#include "core/error.h"
#include "core/text.h"
#include "plots/library.h"
#include "plots/spec_reader.h"

namespace rethink {
namespace {

/// What the file calls its table or figure; empty where that cannot be read.
std::string name_in_spec(const std::filesystem::path& file, const std::string& key) {
  try {
    Problems problems;
    const Yaml spec = read_yaml(file, problems);
    const Yaml* const name = spec.find(key);
    return name && name->is_scalar() ? name->scalar : "";
  } catch (const ConfigError&) {
    return "";
  }
}

}  // namespace

SpecNames::SpecNames(const std::string& kind, const std::string& key,
                     const std::vector<std::filesystem::path>& paths)
    : key_(key) {
  for (const std::string& spec : spec_names(kind, paths)) {
    const std::filesystem::path file = find_spec(kind, spec, paths);
    const auto name = std::filesystem::path(name_in_spec(file, key)).lexically_normal();
    if (name.empty()) continue;
    const auto [owner, is_new] = owners_.emplace(name, file);
    if (!is_new && name == spec) owner->second = file;
  }
}

void SpecNames::take(const std::filesystem::path& file) {
  const std::string name = name_in_spec(file, key_);
  if (name.empty()) return;
  const auto [owner, is_new] =
      owners_.emplace(std::filesystem::path(name).lexically_normal(), file);
  if (is_new || std::filesystem::equivalent(owner->second, file)) return;
  throw UnusableName(
      fmt::format("{0}: {1} '{2}' has the name of the {1} in {3}, whose output it would replace; "
                  "give one of them another name",
                  file.string(), key_, one_line(name), owner->second.string()));
}

}  // namespace rethink
