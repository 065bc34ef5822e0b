#include "experiments/plan/read/overlay.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/config/configuration.h"
#include "core/config/schema.h"
#include "core/json.h"

namespace rethink {
namespace {

/// Adds `value` at `dotted` below `map`; the children of maps are added one by one.
void add_at(Yaml& map, const std::string& dotted, const Position& where, const Yaml& value,
            Problems& problems) {
  const size_t dot = dotted.find('.');
  const std::string key = dotted.substr(0, dot);
  Yaml* inner = map.find(key);
  const bool is_new = !inner;
  if (is_new) {
    map.entries.push_back({key, where, empty_map(where)});
    inner = &map.entries.back().value;
  }
  if (dot != std::string::npos && inner->is_map()) {
    add_at(*inner, dotted.substr(dot + 1), where, value, problems);
  } else if (is_new) {
    *inner = with_nested_keys(value, problems);
  } else if (dot == std::string::npos && inner->is_map() && value.is_map()) {
    for (const Yaml::Entry& entry : value.entries)
      add_at(*inner, entry.key, entry.where, entry.value, problems);
  } else {
    problems.add(where, "duplicate-key",
                 fmt::format("key '{}' is given twice, once with dots and once without", dotted));
  }
}

const Yaml* named(const Yaml& map, const std::string& key) {
  const Yaml* value = key.empty() ? nullptr : map.find(key);
  return value && !value->is_null() ? value : nullptr;
}

/// Returns whether the upper map replaces the whole lower map.
bool replaces_block(const Yaml& lower, const Yaml& upper, const OptionBlock& block, Lower kind) {
  if (kind == Lower::preset && named(upper, "preset")) return true;
  const Yaml* name = named(upper, block.tag);
  const Yaml* lower_name = named(lower, block.tag);
  const std::string below = lower_name              ? lower_name->scalar
                            : kind == Lower::preset ? block.usual
                                                    : "";
  return name && !below.empty() && name->scalar != below;
}

}  // namespace

Yaml empty_map(const Position& where) {
  Yaml map;
  map.kind = Yaml::Kind::map;
  map.where = where;
  return map;
}

Yaml with_nested_keys(const Yaml& value, Problems& problems) {
  Yaml result = value;
  for (Yaml& item : result.items) item = with_nested_keys(item, problems);
  result.entries.clear();
  for (const Yaml::Entry& entry : value.entries)
    add_at(result, entry.key, entry.where, entry.value, problems);
  return result;
}

void set_path(Yaml& map, const std::string& dotted, const Yaml& value, const Position& where) {
  const size_t dot = dotted.find('.');
  const std::string key = dotted.substr(0, dot);
  Yaml* inner = map.find(key);
  if (!inner) {
    map.entries.push_back({key, where, empty_map(where)});
    inner = &map.entries.back().value;
  }
  if (dot == std::string::npos) {
    *inner = value;
    return;
  }
  if (!inner->is_map()) *inner = empty_map(where);
  set_path(*inner, dotted.substr(dot + 1), value, where);
}

const Yaml* at_path(const Yaml& map, const std::string& dotted) {
  if (const Yaml* whole = map.find(dotted)) return whole;
  for (size_t dot = dotted.find('.'); dot != std::string::npos; dot = dotted.find('.', dot + 1)) {
    const Yaml* inner = map.find(dotted.substr(0, dot));
    if (!inner) continue;
    if (const Yaml* found = at_path(*inner, dotted.substr(dot + 1))) return found;
  }
  return nullptr;
}

const Yaml* at_place(const Yaml& map, const Json::json_pointer& place) {
  if (place.empty()) return &map;
  const Yaml* outer = at_place(map, place.parent_pointer());
  if (!outer || !outer->is_list()) return outer ? outer->find(place.back()) : nullptr;
  const size_t index = std::stoul(place.back());
  return index < outer->items.size() ? &outer->items[index] : nullptr;
}

void erase_path(Yaml& map, const std::string& dotted) {
  const size_t dot = dotted.find('.');
  const std::string key = dotted.substr(0, dot);
  Yaml* inner = map.find(key);
  if (!inner) return;
  if (dot != std::string::npos) {
    erase_path(*inner, dotted.substr(dot + 1));
    if (!inner->is_map() || !inner->entries.empty()) return;
  }
  std::erase_if(map.entries, [&](const Yaml::Entry& entry) { return entry.key == key; });
}

std::vector<Leaf> leaves_of(const Yaml& map, const std::string& prefix) {
  std::vector<Leaf> leaves;
  for (const Yaml::Entry& entry : map.entries) {
    const std::string path = prefix.empty() ? entry.key : prefix + "." + entry.key;
    if (entry.value.is_map() && !entry.value.entries.empty()) {
      for (Leaf& leaf : leaves_of(entry.value, path)) leaves.push_back(std::move(leaf));
    } else {
      leaves.push_back({path, entry.where, &entry.value, entry.key});
    }
  }
  return leaves;
}

bool overlap(const std::string& path, const std::string& other) {
  const auto is_below = [](const std::string& inner, const std::string& outer) {
    return inner.size() > outer.size() && inner.starts_with(outer) && inner[outer.size()] == '.';
  };
  return path == other || is_below(path, other) || is_below(other, path);
}

std::string text_of(const Yaml& value) {
  std::string text;
  switch (value.kind) {
    case Yaml::Kind::null:
      return "null";
    case Yaml::Kind::scalar:
      return value.scalar;
    case Yaml::Kind::list:
      for (const Yaml& item : value.items) text += (text.empty() ? "" : ", ") + text_of(item);
      return "[" + text + "]";
    case Yaml::Kind::map:
      for (const Yaml::Entry& entry : value.entries) {
        text += (text.empty() ? "" : ", ") + entry.key + ": " + text_of(entry.value);
      }
      return "{" + text + "}";
  }
  return text;
}

std::string text_of(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_array() || value.is_object()) return text_of(yaml_of(value, {}));
  if (value.is_number_float()) return shortest(value.get<double>());
  return value.dump();
}

RecordedValue recorded_value(const Json& value) {
  const ValueType type = value.is_number()    ? ValueType::number
                         : value.is_string()  ? ValueType::text
                         : value.is_boolean() ? ValueType::boolean
                         : value.is_null()    ? ValueType::null
                                              : ValueType::compound;
  return {text_of(value), type};
}

WrittenValue written_value(const Yaml& value) {
  return {text_of(value), value.quoted};
}

Yaml yaml_of(const Json& value, const Position& where) {
  Yaml result;
  result.where = where;
  if (value.is_object()) {
    result.kind = Yaml::Kind::map;
    for (const auto& [key, inner] : value.items())
      result.entries.push_back({key, where, yaml_of(inner, where)});
  } else if (value.is_array()) {
    result.kind = Yaml::Kind::list;
    for (const Json& item : value) result.items.push_back(yaml_of(item, where));
  } else if (!value.is_null()) {
    result.kind = Yaml::Kind::scalar;
    // A quoted word would not follow the seed; a text option accepts both forms.
    result.quoted = value.is_string() && value != kSeedWord;
    result.scalar = text_of(value);
  }
  return result;
}

OptionBlock::OptionBlock(const OptionsSchema& options) {
  for (const Field& field : options.fields) fields.push_back(&field);
}

OptionBlock::OptionBlock(const Field& field, const Yaml& upper, const Yaml& lower,
                         const Schema& schema)
    : tag(field.tag) {
  for (const Field& inner : field.fields) fields.push_back(&inner);
  if (field.type != FieldType::plugin) return;
  if (field.default_value.is_object()) usual = field.default_value.value(tag, "");
  std::string name = usual;
  if (const Yaml* given = named(lower, tag)) name = given->scalar;
  if (const Yaml* given = named(upper, tag)) name = given->scalar;
  const PluginSchema* plugin = schema.find(field.registry, name);
  if (!plugin) return;
  for (const Field& inner : plugin->options.fields) fields.push_back(&inner);
}

const Field* OptionBlock::find(const std::string& key) const {
  const auto found = std::find_if(fields.begin(), fields.end(),
                                  [&](const Field* field) { return field->is_called(key); });
  return found == fields.end() ? nullptr : *found;
}

namespace {

/// Whether `changes` is {0: ..., 2: ...}, with entries that a list of this length has.
bool are_entries_of(size_t length, const Yaml& changes) {
  return changes.is_map() && std::ranges::all_of(changes.entries, [&](const Yaml::Entry& entry) {
           const auto index = list_index(entry.key);
           return index && *index < length;
         });
}

/// A field for an unknown name.
const Field& unknown_field() {
  static const Field kUnknown;
  return kUnknown;
}

/// Lays a value of `field` over the present value.
void lay_value_over(Yaml& below, const Yaml& above, const Field& field, const Schema& schema,
                    Lower kind) {
  const bool is_list = field.type == FieldType::list;
  if (below.is_list() && are_entries_of(below.items.size(), above)) {
    for (const Yaml::Entry& entry : above.entries)
      lay_value_over(below.items[*list_index(entry.key)], entry.value,
                     is_list ? field.element() : unknown_field(), schema, kind);
  } else if (is_list && above.is_list() && are_entries_of(above.items.size(), below)) {
    // An axis changes entries of a list that comes from another axis.
    Yaml list = above;
    lay_value_over(list, below, field, schema, kind);
    below = std::move(list);
  } else if (below.is_map() && above.is_map()) {
    const OptionBlock inner(field, above, below, schema);
    if (replaces_block(below, above, inner, kind)) {
      below = above;
    } else {
      lay_over(below, above, inner, schema, kind);
    }
  } else {
    below = above;
  }
}

}  // namespace

void lay_over(Yaml& lower, const Yaml& upper, const OptionBlock& block, const Schema& schema,
              Lower kind) {
  for (const Yaml::Entry& entry : upper.entries) {
    const Field* known = block.find(entry.key);
    const Field& field = known ? *known : unknown_field();
    const auto below = std::ranges::find_if(lower.entries, [&](const Yaml::Entry& other) {
      return other.key == entry.key || field.is_called(other.key);
    });
    if (below == lower.entries.end()) {
      lower.entries.push_back(entry);
      continue;
    }
    below->key = entry.key;  // an option may have two names; the upper map's name is kept
    lay_value_over(below->value, entry.value, field, schema, kind);
  }
}

}  // namespace rethink
