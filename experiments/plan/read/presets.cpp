#include "experiments/plan/read/presets.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/config/schema.h"

namespace rethink {

const PresetFiles::Preset* PresetFiles::find(const std::string& group, const std::string& name) {
  const auto key = std::make_pair(group, name);
  if (const auto known = read_.find(key); known != read_.end()) return &known->second;
  const std::filesystem::path file = library_.find(group + "/" + name);
  if (file.empty()) return nullptr;
  Problems problems;
  Yaml options = read_yaml(file, problems);
  if (options.is_null()) options = empty_map(options.where);
  if (!options.is_map()) {
    problems.add(options.where, "invalid-value", "a preset is a map of options");
    options = empty_map(options.where);
  }
  options = with_nested_keys(options, problems);
  return &read_.emplace(key, Preset{std::move(options), std::move(problems)}).first->second;
}

std::vector<std::string> PresetFiles::names(const std::string& group) const {
  std::vector<std::string> found;
  for (const std::string& name : library_.names()) {
    if (name.starts_with(group + "/")) found.push_back(name.substr(group.size() + 1));
  }
  return found;
}

void Presets::expand(Yaml& given, const std::string& group, const OptionBlock& block,
                     Problems& problems) {
  expand_one(given, group, block, problems);
  expand_inside(given, block, problems);
}

void Presets::expand_field(Yaml& given, const std::string& group, const Field& field,
                           Problems& problems) {
  expand_one(given, group, OptionBlock(field, given, {}, schema_), problems);
  // The preset may have named the plug-in, so its options are known only now.
  expand_inside(given, OptionBlock(field, given, {}, schema_), problems);
}

void Presets::expand_inside(Yaml& given, const OptionBlock& block, Problems& problems) {
  static const Field kUnknown;
  for (Yaml::Entry& entry : given.entries) {
    const Field* field = block.find(entry.key);
    const bool is_own = field && (field->type == FieldType::map || field->type == FieldType::value);
    if (is_own) continue;  // a key `preset` of the user's own map
    if (entry.value.is_map())
      expand_field(entry.value, entry.key, field ? *field : kUnknown, problems);
    for (Yaml& item : entry.value.items) {
      if (!item.is_map()) continue;
      const bool is_element = field && field->type == FieldType::list;
      expand_field(item, entry.key, is_element ? field->element() : kUnknown, problems);
    }
  }
}

void Presets::expand_one(Yaml& map, const std::string& group, const OptionBlock& block,
                         Problems& problems) {
  if (block.find("preset")) return;  // the plug-in has an option of that name
  std::vector<std::string> chain;
  while (const Yaml* name = map.find("preset")) {
    const Yaml chosen = *name;
    std::erase_if(map.entries, [](const Yaml::Entry& entry) { return entry.key == "preset"; });
    if (chosen.is_null()) continue;
    if (!chosen.is_scalar()) {
      problems.add(chosen.where, "invalid-value", "'preset': got a list or map, expected a name");
      return;
    }
    if (std::find(chain.begin(), chain.end(), chosen.scalar) != chain.end()) {
      problems.add(chosen.where, "circle",
                   fmt::format("preset '{}' refers to itself in a circle: {}", chosen.scalar,
                               joined(chain, " -> ")));
      return;
    }
    chain.push_back(chosen.scalar);
    const Yaml* preset = find(group, chosen, problems);
    if (!preset) return;
    const Yaml* plugin = block.tag.empty() ? nullptr : map.find(block.tag);
    const Yaml* preset_plugin = block.tag.empty() ? nullptr : preset->find(block.tag);
    const std::string below = preset_plugin ? preset_plugin->scalar : block.usual;
    // The block names another plug-in, so nothing of the preset remains.
    if (plugin && plugin->is_scalar() && !below.empty() && plugin->scalar != below) continue;
    Yaml under = *preset;
    lay_over(under, map, block, schema_, Lower::preset);
    map.entries = std::move(under.entries);
  }
}

const Yaml* Presets::find(const std::string& group, const Yaml& name, Problems& problems) {
  if (const PresetFiles::Preset* preset = files_.find(group, name.scalar)) {
    if (said_.insert(preset).second) problems.take(preset->problems);
    return &preset->options;
  }
  const std::vector<std::string> there = files_.names(group);
  problems.add(
      name.where, "unknown-name",
      fmt::format("unknown preset '{}' of '{}'{}; {}", name.scalar, group,
                  did_you_mean(name.scalar, there),
                  there.empty() ? "there is none: looked for experiments/presets/" + group +
                                      "/ below the program's own folder, here and below --path DIR"
                                : "known: " + joined(there)));
  return nullptr;
}

}  // namespace rethink
