#include "core/config/configuration.h"

#include <fmt/format.h>

#include <string_view>

#include "core/error.h"

namespace rethink {
namespace {

/// The plug-in chosen in `value`; null where nothing is chosen. Throws ConfigError when there is none
/// of that name, as an older program's configuration may have it.
const PluginSchema* chosen(const Json& value, const Field& field, const Schema& schema) {
  if (!value.is_object()) return nullptr;
  const PluginSchema* plugin = schema.find(field.registry, value.at(field.tag).get<std::string>());
  if (!plugin) throw ConfigError("unknown " + field.registry + ": " + value.dump());
  return plugin;
}

Json hashed_fields(const Json& config, const std::vector<Field>& fields, const Schema& schema);

Json hashed_value(const Json& value, const Field& field, const Schema& schema) {
  switch (field.type) {
    case FieldType::object:
      return value.is_object() ? hashed_fields(value, field.fields, schema) : value;
    case FieldType::list: {
      Json list = Json::array();
      for (const Json& item : value) list.push_back(hashed_value(item, field.element(), schema));
      return list;
    }
    case FieldType::plugin: {
      const PluginSchema* plugin = chosen(value, field, schema);
      if (!plugin) return value;
      Json hashed = hashed_fields(value, plugin->options.fields, schema);
      hashed.update(hashed_fields(value, field.fields, schema));
      hashed[field.tag] = value.at(field.tag);
      return hashed;
    }
    default:
      return value;
  }
}

Json hashed_fields(const Json& config, const std::vector<Field>& fields, const Schema& schema) {
  Json hashed = Json::object();
  for (const Field& field : fields) {
    if (!field.hashed) continue;
    // A configuration from before the field has none, and means the same.
    if (field.absent_means && config.value(field.name, *field.absent_means) == *field.absent_means)
      continue;
    hashed[field.name] = hashed_value(config.at(field.name), field, schema);
  }
  return hashed;
}

void collect_plugins(const Json& value, const Field& field, const std::string& path,
                     const Schema& schema, std::vector<ChosenPlugin>& found);

void collect_plugins(const Json& config, const std::vector<Field>& fields, const std::string& path,
                     const Schema& schema, std::vector<ChosenPlugin>& found) {
  for (const Field& field : fields) {
    const std::string below = path.empty() ? field.name : path + "." + field.name;
    collect_plugins(config.at(field.name), field, below, schema, found);
  }
}

void collect_plugins(const Json& value, const Field& field, const std::string& path,
                     const Schema& schema, std::vector<ChosenPlugin>& found) {
  if (value.is_null()) return;
  if (field.type == FieldType::object) collect_plugins(value, field.fields, path, schema, found);
  if (field.type == FieldType::list) {
    for (const Json& item : value) collect_plugins(item, field.element(), path, schema, found);
  }
  if (field.type == FieldType::plugin) {
    const PluginSchema& plugin = *chosen(value, field, schema);
    found.push_back({path, &plugin, &value});
    collect_plugins(value, plugin.options.fields, path, schema, found);
    collect_plugins(value, field.fields, path, schema, found);
  }
}

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

Json hashed_part(const Json& config, const OptionsSchema& options, const Schema& schema) {
  return hashed_fields(config, options.fields, schema);
}

std::vector<ChosenPlugin> plugins_chosen(const Json& config, const OptionsSchema& options,
                                         const Schema& schema) {
  std::vector<ChosenPlugin> found;
  collect_plugins(config, options.fields, "", schema, found);
  return found;
}

std::map<std::string, int> revisions_used(const Json& config, const OptionsSchema& options,
                                          const Schema& schema) {
  std::map<std::string, int> found;
  for (const auto& [path, plugin, own] : plugins_chosen(config, options, schema)) {
    if (plugin->revision > 1) found[plugin->registry + "/" + plugin->name] = plugin->revision;
  }
  return found;
}

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
