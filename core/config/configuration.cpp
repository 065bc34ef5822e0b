#include "core/config/configuration.h"

#include <fmt/format.h>

#include <functional>

#include "core/error.h"

namespace rethink {

std::string OptionPath::text() const {
  std::string text = parent ? parent->text() : "";
  if (index) return fmt::format("{}[{}]", text, *index);
  if (!text.empty() && !name.empty() && name[0] != '[') text += '.';
  return text.append(name);
}

std::string OptionPath::option_text() const {
  if (index) return parent->option_text();
  const std::string before = parent ? parent->option_text() : "";
  return before.empty() ? std::string(name) : fmt::format("{}.{}", before, name);
}

Json::json_pointer OptionPath::pointer() const {
  if (!parent) return Json::json_pointer();
  return index ? parent->pointer() / *index : parent->pointer() / std::string(name);
}

namespace {

/// Returns the plug-in chosen in `value`; null if nothing is chosen. Throws ConfigError if no
/// plug-in has that name; a configuration of an older program may name one.
const PluginSchema* chosen(const Json& value, const Field& field, const Schema& schema) {
  if (!value.is_object()) return nullptr;
  const PluginSchema* plugin = schema.find(field.registry, value.at(field.tag).get<std::string>());
  if (!plugin) throw ConfigError("unknown-name", "unknown " + field.registry + ": " + value.dump());
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
    case FieldType::map: {
      Json map = Json::object();
      for (const auto& [key, inner] : value.items())
        map[key] = hashed_value(inner, field.element(), schema);
      return map;
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
    // A configuration that is older than the field means the same without it.
    if (field.absent_means && config.value(field.name, *field.absent_means) == *field.absent_means)
      continue;
    hashed[field.name] = hashed_value(config.at(field.name), field, schema);
  }
  return hashed;
}

using UseOption = std::function<void(const Json& value, const Field&, const OptionPath&)>;

void visit_options(const Json& config, const std::vector<Field>& fields, const Schema& schema,
                   const OptionPath& at, const UseOption& use);

void visit_option(const Json& value, const Field& field, const Schema& schema, const OptionPath& at,
                  const UseOption& use) {
  use(value, field, at);
  if (field.type == FieldType::list) {
    if (!value.is_array()) return;
    for (size_t i = 0; i < value.size(); ++i)
      visit_option(value[i], field.element(), schema, {&at, {}, i}, use);
    return;
  }
  if (field.type == FieldType::map) {
    if (!value.is_object()) return;
    for (const auto& [key, inner] : value.items())
      visit_option(inner, field.element(), schema, {&at, key}, use);
    return;
  }
  if (field.type == FieldType::plugin && value.is_object() && value.contains(field.tag)) {
    const PluginSchema* plugin = schema.find(field.registry, value.at(field.tag));
    if (plugin) visit_options(value, plugin->options.fields, schema, at, use);
  }
  visit_options(value, field.fields, schema, at, use);
}

/// Calls use(value, option, path) for each option of `config`, elements of lists included, outer
/// options before inner ones. Skips options that `config` lacks, and options of plug-ins that
/// `schema` lacks.
void visit_options(const Json& config, const std::vector<Field>& fields, const Schema& schema,
                   const OptionPath& at, const UseOption& use) {
  if (!config.is_object()) return;
  for (const Field& field : fields) {
    const auto value = config.find(field.name);
    if (value != config.end()) visit_option(*value, field, schema, {&at, field.name}, use);
  }
}

}  // namespace

Json hashed_part(const Json& config, const OptionsSchema& options, const Schema& schema) {
  return hashed_fields(config, options.fields, schema);
}

std::vector<ChosenPlugin> plugins_chosen(const Json& config, const OptionsSchema& options,
                                         const Schema& schema) {
  std::vector<ChosenPlugin> found;
  visit_options(config, options.fields, schema, {},
                [&](const Json& value, const Field& field, const OptionPath& path) {
                  if (field.type != FieldType::plugin) return;
                  if (const PluginSchema* plugin = chosen(value, field, schema))
                    found.push_back({path.option_text(), plugin, &value});
                });
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

std::map<std::string, std::string> code_used(const Json& config, const OptionsSchema& options,
                                             const Schema& schema) {
  std::map<std::string, std::string> found;
  for (const auto& [path, plugin, own] : plugins_chosen(config, options, schema)) {
    if (!plugin->code.empty()) found[plugin->registry + "/" + plugin->name] = plugin->code;
  }
  return found;
}

std::vector<SeedOption> seed_options(const Json& config, const OptionsSchema& options,
                                     const Schema& schema) {
  std::vector<SeedOption> found;
  visit_options(config, options.fields, schema, {},
                [&](const Json& value, const Field& field, const OptionPath& path) {
                  if (field.may_follow_seed && value == kSeedWord)
                    found.push_back({path.text(), path.pointer()});
                });
  return found;
}

Json with_seed(Json config, const std::vector<SeedOption>& options, int64_t seed) {
  for (const SeedOption& option : options) config.at(option.place) = seed;
  return config;
}

}  // namespace rethink
