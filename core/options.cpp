#include "core/options.h"

#include <fmt/format.h>

#include "core/registry.h"

namespace rethink {

void wrong_type(const std::string& name, const Json& got, const char* expected) {
  throw ConfigError(fmt::format("{}: got {}, expected {}", name, got.dump(), expected));
}

void Fields::require_all_read() const {
  std::vector<std::string> known;
  for (const Field& field : described_) {
    known.push_back(field.name);
    if (field.required && !json_.contains(field.name)) {
      throw ConfigError(fmt::format("'{}' is missing: {}", field.name, field.summary));
    }
  }
  for (const auto& [key, value] : json_.items()) {
    if (std::find(known.begin(), known.end(), key) != known.end()) continue;
    throw ConfigError(
        fmt::format("unknown key '{}'{}; known: {}", key, did_you_mean(key, known), joined(known)));
  }
}

Json complete_plugin_options(const std::string& registry, const std::string& name,
                             const Json& given) {
  return find_registry(registry).completed(name, given);
}

}  // namespace rethink
