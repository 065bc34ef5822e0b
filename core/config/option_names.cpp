#include "core/config/option_names.h"

#include <algorithm>
#include <utility>

namespace rethink {
namespace {

class Collector {
 public:
  explicit Collector(const Schema& schema) : schema_(schema) {}

  /// `whole`: the option that contains `fields`; without a field, the value that was given.
  void collect(const std::vector<Field>& fields, const NamedOption& whole) {
    const std::string prefix = whole.name.empty() ? "" : whole.name + ".";
    for (const Field& field : fields) {
      NamedOption option{prefix + field.name, &field, whole.of, whole.chosen_by, whole.begin};
      if (!field.written.empty()) {
        found.push_back(option);
        option.name = prefix + field.written;
      }
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
  std::vector<std::string> open_;  // kinds of the enclosing plug-ins
};

/// Splits "model.attention" into "model" and "attention"; the second part is empty without a dot.
std::pair<std::string, std::string> split_path(const std::string& dotted) {
  const size_t dot = dotted.find('.');
  return {dotted.substr(0, dot), dot == std::string::npos ? "" : dotted.substr(dot + 1)};
}

/// Adds `field` itself if `path` is empty, else the options inside `field` that `path` names.
void add_options_called(const std::string& path, const Field& field, const Schema& schema,
                        std::vector<const Field*>& found) {
  if (path.empty()) {
    found.push_back(&field);
    return;
  }
  if (field.type == FieldType::list) {
    const auto [index, rest] = split_path(path);
    if (list_index(index)) add_options_called(rest, field.element(), schema, found);
    return;
  }
  // Any path inside a free value is valid.
  if (field.type == FieldType::value) found.push_back(&field);
  if (field.type == FieldType::map)
    return add_options_called(split_path(path).second, field.element(), schema, found);
  if (path == field.tag) found.push_back(&field);
  const auto take = [&](const std::vector<Field>& inner) {
    for (const Field* option : options_called(path, inner, schema)) found.push_back(option);
  };
  take(field.fields);
  for (const std::string& name : schema.names(field.registry))
    take(schema.find(field.registry, name)->options.fields);
}

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
  const auto [first, rest] = split_path(dotted);
  for (const Field& field : fields) {
    if (field.is_called(first)) add_options_called(rest, field, schema, found);
  }
  return found;
}

std::string other_name_of(const std::string& dotted, const std::vector<Field>& fields,
                          const Schema& schema) {
  const size_t last = dotted.rfind('.') + 1;
  const std::string own = dotted.substr(last);
  for (const Field* option : options_called(dotted, fields, schema)) {
    if (option->written.empty() || !option->is_called(own)) continue;
    return dotted.substr(0, last) + (own == option->name ? option->written : option->name);
  }
  return "";
}

}  // namespace rethink
