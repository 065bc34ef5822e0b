#include "app/driver/show/described_options.h"

#include <algorithm>

#include "core/config/option_names.h"
#include "core/config/schema.h"
#include "core/json.h"

namespace rethink {
namespace {

constexpr const char* kJob = "job";

class Finder {
 public:
  explicit Finder(const Schema& schema) : schema_(schema) { found.build_id = schema.build_id; }

  /// Finds the options called `name` of one plug-in, and of the plug-ins that it may choose.
  void find(const PluginSchema& plugin, const std::string& name) {
    for (const NamedOption& option : options_below(plugin.options.fields, schema_)) {
      const bool chooses =
          !option.field->tag.empty() && option.name + "." + option.field->tag == name;
      if (option.name != name && !chooses) continue;
      if (const Json* value = chosen_value(plugin, option)) {
        Field field = *option.field;
        field.default_value = *value;
        add(plugin, option.name, field);
      } else if (!option.of) {
        add(plugin, option.name, *option.field);
      } else {
        add(*option.of, option.own_name(), *option.field);
      }
    }
  }

  Schema found;

 private:
  /// The default of the option, if an enclosing option has a default; null if that default chooses
  /// another plug-in.
  static const Json* chosen_value(const PluginSchema& plugin, const NamedOption& option) {
    const size_t dot = option.name.find('.');
    const Field* outer = plugin.options.find(option.name.substr(0, dot));
    if (!outer || dot == std::string::npos) return nullptr;
    const auto value_at = [&](const std::string& name) {
      return find_path(outer->default_value, name.substr(dot + 1));
    };
    if (!option.of) return value_at(option.name);
    const Json* chosen = value_at(option.name.substr(0, option.begin) + option.chosen_by->tag);
    return chosen && *chosen == option.of->name ? value_at(option.name) : nullptr;
  }

  void add(const PluginSchema& plugin, const std::string& name, Field field) {
    PluginSchema& narrow = found.plugins[plugin.registry][plugin.name];
    if (narrow.name.empty()) narrow = {plugin.registry, plugin.name, plugin.summary, 1, {}, {}};
    const std::string outer = name.substr(0, name.rfind('.') + 1);
    field.name = outer + field.name;
    if (!field.written.empty()) field.written = outer + field.written;
    if (narrow.options.find(field.name)) return;
    for (const Rule& rule : plugin.options.rules) {
      if (std::ranges::find(rule.fields, field.name) != rule.fields.end())
        narrow.options.rules.push_back(rule);
    }
    narrow.options.fields.push_back(std::move(field));
  }

  const Schema& schema_;
};

bool take_prefix(std::string& name, const std::string& prefix) {
  if (!name.starts_with(prefix + ".")) return false;
  name.erase(0, prefix.size() + 1);
  return true;
}

}  // namespace

Schema options_named(const Schema& schema, const std::string& name) {
  Finder finder(schema);
  for (const auto& [registry, plugins] : schema.plugins) {
    for (const auto& [plugin_name, plugin] : plugins) {
      if (registry == kJob) finder.find(plugin, name);
      for (const std::string& prefix : {plugin_name, registry + "/" + plugin_name, registry}) {
        std::string rest = name;
        if (take_prefix(rest, prefix)) finder.find(plugin, rest);
      }
    }
  }
  if (finder.found.plugins.empty()) {
    for (const auto& [registry, plugins] : schema.plugins) {
      for (const auto& [plugin_name, plugin] : plugins) finder.find(plugin, name);
    }
  }
  return std::move(finder.found);
}

std::vector<std::string> names_of_options(const Schema& schema) {
  std::vector<std::string> names;
  const auto jobs = schema.plugins.find(kJob);
  if (jobs == schema.plugins.end()) return names;
  for (const auto& [job, plugin] : jobs->second) {
    for (const std::string& name : option_names(plugin.options.fields, schema)) {
      names.push_back(name);
      names.push_back(job + "." + name);
    }
  }
  return names;
}

}  // namespace rethink
