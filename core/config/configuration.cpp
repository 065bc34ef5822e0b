#include <fmt/format.h>

#include <string_view>

#include "core/config/seed_options.h"

namespace rethink {
namespace {

/// A path that becomes text only where the word is found: plans look at tens of thousands of
/// configurations.
struct SeedPath {
  const SeedPath* parent = nullptr;
  std::string_view name;  // empty: an element of a list
  size_t index = 0;

  SeedOption option() const {
    if (!parent) return {"", Json::json_pointer()};
    SeedOption option = parent->option();
    if (name.empty()) return {fmt::format("{}[{}]", option.name, index), option.place / index};
    const char* dot = option.name.empty() ? "" : ".";
    return {fmt::format("{}{}{}", option.name, dot, name), option.place / std::string(name)};
  }
};

class SeedOptionFinder {
 public:
  explicit SeedOptionFinder(const Schema& schema) : schema_(schema) {}

  void look_at(const Json& config, const std::vector<Field>& fields, const SeedPath& at) {
    if (!config.is_object()) return;
    for (const Field& field : fields) {
      const auto value = config.find(field.name);
      if (value != config.end()) look_at(*value, field, {&at, field.name});
    }
  }

  std::vector<SeedOption> found;

 private:
  void look_at(const Json& value, const Field& field, const SeedPath& at) {
    switch (field.type) {
      case FieldType::integer:
        if (field.may_follow_seed && value == kSeedWord) found.push_back(at.option());
        break;
      case FieldType::plugin:
        if (value.is_object() && value.contains(field.tag)) {
          const PluginSchema* plugin = schema_.find(field.registry, value.at(field.tag));
          if (plugin) look_at(value, plugin->options.fields, at);
        }
        look_at(value, field.fields, at);
        break;
      case FieldType::object:
        look_at(value, field.fields, at);
        break;
      case FieldType::list:
        if (!value.is_array()) break;
        for (size_t i = 0; i < value.size(); ++i) look_at(value[i], field.element(), {&at, "", i});
        break;
      default:
        break;
    }
  }

  const Schema& schema_;
};

}  // namespace

std::vector<SeedOption> seed_options(const Json& config, const OptionsSchema& options,
                                     const Schema& schema) {
  SeedOptionFinder finder(schema);
  finder.look_at(config, options.fields, {});
  return finder.found;
}

Json with_seed(Json config, const std::vector<SeedOption>& options, int64_t seed) {
  for (const SeedOption& option : options) config.at(option.place) = seed;
  return config;
}

}  // namespace rethink
