#include "core/config/option_names.h"

#include <algorithm>

namespace rethink {
namespace {

class Collector {
 public:
  explicit Collector(const Schema& schema) : schema_(schema) {}

  /// `whole` is an option that has them, or without a field what was given.
  void collect(const std::vector<Field>& fields, const NamedOption& whole) {
    const std::string prefix = whole.name.empty() ? "" : whole.name + ".";
    for (const Field& field : fields) {
      NamedOption option{prefix + field.name, &field, whole.of, whole.chosen_by, whole.begin};
      found.push_back(option);
      if (field.type != FieldType::object && field.type != FieldType::plugin) continue;
      collect(field.fields, option);
      if (field.type != FieldType::plugin) continue;
      const auto plugins = schema_.plugins.find(field.registry);
      const bool is_open = std::ranges::find(open_, field.registry) != open_.end();
      if (plugins == schema_.plugins.end() || is_open) continue;
      open_.push_back(field.registry);
      option.chosen_by = &field;
      option.begin = option.name.size() + 1;
      for (const auto& [plugin_name, plugin] : plugins->second) {
        option.of = &plugin;
        collect(plugin.options.fields, option);
      }
      open_.pop_back();
    }
  }

  std::vector<NamedOption> found;

 private:
  const Schema& schema_;
  std::vector<std::string> open_;  // kinds of the plug-ins around
};

}  // namespace

std::vector<NamedOption> options_below(const std::vector<Field>& fields, const Schema& schema) {
  Collector collector(schema);
  collector.collect(fields, {});
  return std::move(collector.found);
}

std::vector<std::string> option_names(const std::vector<Field>& fields, const Schema& schema) {
  std::vector<std::string> names;
  const auto add = [&](const std::string& name) {
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  };
  for (const NamedOption& option : options_below(fields, schema)) {
    add(option.name);
    if (!option.field->tag.empty()) add(option.name + "." + option.field->tag);
  }
  const auto depth = [](const std::string& name) { return std::ranges::count(name, '.'); };
  std::ranges::stable_sort(names, {}, depth);
  return names;
}

std::vector<const Field*> options_called(const std::string& dotted,
                                         const std::vector<Field>& fields, const Schema& schema) {
  std::vector<const Field*> found;
  const size_t dot = dotted.find('.');
  for (const Field& field : fields) {
    if (field.name != dotted.substr(0, dot)) continue;
    if (dot == std::string::npos) {
      found.push_back(&field);
      continue;
    }
    const std::string rest = dotted.substr(dot + 1);
    if (rest == field.tag) found.push_back(&field);
    const auto take = [&](const std::vector<Field>& inner) {
      for (const Field* option : options_called(rest, inner, schema)) found.push_back(option);
    };
    take(field.fields);
    for (const std::string& name : schema.names(field.registry))
      take(schema.find(field.registry, name)->options.fields);
  }
  return found;
}

}  // namespace rethink
