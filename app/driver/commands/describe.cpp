// `rethink describe`: jobs, plug-ins and their options, from the schema that the worker wrote.
#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iostream>

#include "app/driver/command.h"
#include "app/driver/show/described_options.h"
#include "core/config/schema.h"
#include "core/error.h"
#include "core/files/file.h"
#include "core/json.h"
#include "experiments/plan/read/json_schema.h"
#include "experiments/plan/read/library.h"

namespace rethink {
namespace {

/// A value without JSON's quotes and brackets: "relu", "weights, predictions".
std::string plain_text(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (!value.is_array()) return canonical_json(value);
  std::vector<std::string> parts;
  for (const Json& part : value) parts.push_back(plain_text(part));
  return parts.empty() ? "none" : joined(parts);
}

bool is_map_or_holds_maps(const Json& value) {
  return value.is_object() ||
         (value.is_array() &&
          std::any_of(value.begin(), value.end(), [](const Json& v) { return v.is_object(); }));
}

/// Prints a fact in YAML; empty values are left out.
void print_fact(const std::string& name, const Json& value, const std::string& indent) {
  if (value.empty() || value == "") return;
  if (!is_map_or_holds_maps(value)) {
    std::cout << fmt::format("{}{}: {}\n", indent, name, plain_text(value));
    return;
  }
  std::cout << fmt::format("{}{}:\n", indent, name);
  const std::string space(indent.size(), ' ');
  const Json items = value.is_array() ? value : Json::array({value});
  for (const Json& item : items) {
    std::string begin = space + (value.is_array() ? "  - " : "  ");
    for (const auto& [key, part] : item.items()) {
      print_fact(key, part, begin);
      begin = std::string(begin.size(), ' ');
    }
  }
}

std::string type_text(const Field& field) {
  switch (field.type) {
    case FieldType::boolean:
      return "true or false";
    case FieldType::integer:
      return "integer";
    case FieldType::real:
      return "number";
    case FieldType::text:
      return field.choices.empty() ? "text" : joined(field.choices, " | ");
    case FieldType::plugin:
      return fmt::format("{} (`rethink describe {}`), chosen by {}", field.registry, field.registry,
                         field.tag);
    case FieldType::object:
      return "options";
    case FieldType::list:
      return "list of " + type_text(field.element());
    case FieldType::map:
      return "map of names of your own to " + type_text(field.element());
    case FieldType::value:
      return "any value";
  }
  return "";
}

std::string range_text(const Field& field) {
  std::string text;
  if (field.minimum)
    text += fmt::format(", {} {}", field.exclusive_minimum ? "above" : "at least", *field.minimum);
  if (field.maximum)
    text += fmt::format(", {} {}", field.exclusive_maximum ? "below" : "at most", *field.maximum);
  return text;
}

std::string default_text(const Field& field) {
  if (field.required) return "required";
  if (field.type == FieldType::object) return "";
  if (field.default_value.is_null()) return "not set";
  if (field.default_value == "") return "default empty";
  const bool is_plugin = field.type == FieldType::plugin;
  return "default " +
         plain_text(is_plugin ? field.default_value.at(field.tag) : field.default_value);
}

/// Adds each field, followed by its inner fields, with full names. `outer`, the default of the
/// enclosing option, has the defaults of its parts.
void collect(const std::vector<Field>& fields, const std::string& prefix, const Json& outer,
             std::vector<std::pair<std::string, Field>>& all) {
  for (Field field : fields) {
    if (outer.is_object() && outer.contains(field.name)) field.default_value = outer[field.name];
    const std::string name = prefix + field.name_in_files();
    all.emplace_back(name, field);
    if (field.type == FieldType::object || field.type == FieldType::plugin)
      collect(field.fields, name + ".", field.default_value, all);
    if (field.type == FieldType::list) collect(field.element().fields, name + "[].", {}, all);
  }
}

void print_options(const OptionsSchema& options) {
  if (options.fields.empty()) return;
  std::vector<std::pair<std::string, Field>> all;
  collect(options.fields, "", {}, all);
  constexpr size_t kMostWidth = 28;
  size_t width = 0;
  for (const auto& [name, field] : all) width = std::max(width, std::min(kMostWidth, name.size()));
  const std::string indent(width + 4, ' ');
  std::cout << "\noptions\n";
  for (const auto& [name, field] : all) {
    const std::string fallback = default_text(field);
    std::cout << (name.size() > width ? "  " + name + "\n" + indent
                                      : fmt::format("  {:<{}}  ", name, width))
              << field.summary << "\n"
              << indent << type_text(field) << range_text(field)
              << (field.may_follow_seed ? ", or seed: the trial's own" : "")
              << (fallback.empty() ? "" : "; ") << fallback
              << (field.written.empty() ? "" : "; in stores: " + field.name)
              << (field.hashed ? "" : "; not part of a trial's identity") << "\n";
  }
  std::vector<std::string> said;
  for (const Rule& rule : options.rules) {
    const std::string text = joined(rule.fields) + ": " + rule.why;
    if (std::find(said.begin(), said.end(), text) != said.end()) continue;
    std::cout << (said.empty() ? "\nrules\n" : "") << "  " << text << "\n";
    said.push_back(text);
  }
}

/// Prints what users need first (purpose and options), then what the rest of the program uses.
void print_plugin(const PluginSchema& plugin) {
  std::cout << fmt::format("{} {}: {}\n", plugin.registry, plugin.name, plugin.summary);
  print_options(plugin.options);
  if (plugin.revision > 1 || !plugin.facts.json().empty()) std::cout << "\nfacts\n";
  if (plugin.revision > 1) std::cout << fmt::format("  revision: {}\n", plugin.revision);
  for (const auto& [name, value] : plugin.facts.json().items()) print_fact(name, value, "  ");
}

void print_registry(const Schema& schema, const std::string& registry) {
  std::cout << registry << "\n";
  for (const std::string& name : schema.names(registry)) {
    std::cout << fmt::format("  {:<24} {}\n", name, schema.find(registry, name)->summary);
  }
}

void print_schema(const Schema& schema, bool whole_registries) {
  bool first = true;
  for (const auto& [registry, plugins] : schema.plugins) {
    if (whole_registries) {
      print_registry(schema, registry);
      continue;
    }
    for (const auto& [name, plugin] : plugins) {
      if (!first) std::cout << "\n";
      print_plugin(plugin);
      first = false;
    }
  }
}

/// Returns the description of a key that no plug-in declares, such as "resources", from the
/// editors' schema; null for any other name.
Json sweep_key(const Schema& schema, const std::string& name) {
  if (name == "only")  // a key of profiles, whose contents the editors' schema does not describe
    return {
        {"description", "of a stage in a profile: keeps these points of an axis: {AXIS: [LABEL]}"}};
  const Json keys = sweep_keys(schema);
  return keys.value(name, Json());
}

void print_sweep_key(const std::string& name, const Json& key) {
  std::cout << fmt::format("{}: {} (docs/sweeps.md)\n", name,
                           key.value("description", "a key of sweep files"));
  const Json parts = key.value("properties", Json::object());
  for (const auto& [part, said] : parts.items())
    std::cout << fmt::format("  {:<18} {}\n", part, said.at("description").get<std::string>());
}

constexpr const char* kPreset = "preset";

using PresetFiles = std::map<std::string, std::filesystem::path>;

PresetFiles all_presets(const std::vector<std::filesystem::path>& paths) {
  const Library library("presets", paths);
  PresetFiles files;
  for (const std::string& name : library.names()) files[name] = library.find(name);
  return files;
}

/// The presets for "preset" (all), "a3", "finetune/a3", "preset/a3" or "preset/finetune/a3".
PresetFiles presets_named(PresetFiles files, std::string name) {
  if (name == kPreset) return files;
  if (name.starts_with("preset/")) name.erase(0, 7);
  std::erase_if(files, [&](const auto& file) {
    return file.first != name && std::filesystem::path(file.first).filename() != name;
  });
  return files;
}

/// The first line of the comment that begins the file.
std::string first_words(const std::filesystem::path& preset) {
  std::ifstream file(preset);
  std::string line, next;
  std::getline(file, line);
  std::getline(file, next);
  if (!line.starts_with("# ")) return "";
  return line.substr(2) + (next.starts_with("# ") ? " ..." : "");
}

void print_preset_names(const PresetFiles& files) {
  std::cout << "preset (`rethink describe preset/NAME` shows one)\n";
  for (const auto& [name, file] : files)
    std::cout << fmt::format("  {:<32} {}\n", name, first_words(file));
}

/// Where the preset may be used, its file, and its settings in the form of sweeps.
void print_presets(const PresetFiles& files, const Schema& schema) {
  bool first = true;
  for (const auto& [name, file] : files) {
    const size_t slash = name.find('/');
    const std::string group = name.substr(0, slash), own = name.substr(slash + 1);
    const std::string use =
        schema.find("job", group)
            ? fmt::format("in a stage with `job: {}` write `preset: {}`", group, own)
            : fmt::format("write `{}: {{preset: {}}}`", group, own);
    std::cout << (first ? "" : "\n")
              << fmt::format("preset {}: {}; {}\n\n{}", name, use, file.string(), read_file(file));
    first = false;
  }
}

Json presets_as_json(const PresetFiles& files) {
  Json all = Json::object();
  for (const auto& [name, file] : files)
    all[name] = {{"file", file.string()}, {"text", read_file(file)}};
  return all;
}

/// The kind or the plug-ins of that name: "attention", "lm", "attention/dense"; a name in several
/// kinds means all of them.
Schema plugins_named(const Schema& schema, const std::string& name) {
  Schema found;
  found.build_id = schema.build_id;
  for (const auto& [registry, plugins] : schema.plugins) {
    if (name == registry) found.plugins[registry] = plugins;
    for (const auto& [plugin_name, plugin] : plugins) {
      if (name == plugin_name || name == registry + "/" + plugin_name)
        found.plugins[registry][plugin_name] = plugin;
    }
  }
  return found;
}

[[noreturn]] void refuse(const std::string& name, const Schema& schema,
                         const PresetFiles& presets) {
  std::vector<std::string> known = {kPreset};
  for (const auto& [registry, plugins] : schema.plugins) {
    known.push_back(registry);
    for (const auto& [plugin_name, plugin] : plugins) {
      known.push_back(plugin_name);
      known.push_back(registry + "/" + plugin_name);
    }
  }
  for (const auto& [preset, file] : presets) known.push_back(preset);
  for (const std::string& option : names_of_options(schema)) known.push_back(option);
  const auto parts = [](const std::string& word) { return std::ranges::count(word, '.'); };
  std::ranges::stable_partition(
      known, [&](const std::string& word) { return parts(word) == parts(name); });
  throw ConfigError(
      "unknown-name",
      fmt::format("nothing is called '{}'{}; `rethink describe` lists kinds and plug-ins, `rethink "
                  "describe preset` presets",
                  name, did_you_mean(name, known)));
}

class Describe : public Command {
 public:
  std::string positional() const override { return "[WHAT]"; }
  void declare(po::options_description& options) const override { declare_format(options); }
  std::string more_help(const CommandContext&) const override {
    return "WHAT is a kind (attention), a plug-in (lm, attention/dam), a key of sweep files "
           "(resources, cases), a\npreset (preset/bet_lm; preset: all of them), or an option of "
           "one job or of all jobs (finetune.batch,\noptimizer.lr, model.attention.lambda).\n\n";
  }

  int run(const CommandContext& context, const po::variables_map& given) override {
    const std::vector<std::string> what = arguments_of(given);
    if (what.size() > 1)
      throw ConfigError(
          "wrong-arguments",
          "describe one thing at a time: a kind, a plug-in, KIND/PLUG-IN, or an option, such as "
          "finetune.batch");
    if (what.empty()) {
      print(context.schema(), given, /*whole_registries=*/true);
    } else {
      describe(what[0], context, given);
    }
    return kDone;
  }

 private:
  static void print(const Schema& schema, const po::variables_map& given, bool whole_registries) {
    wants_json(given) ? void(std::cout << to_json(schema).dump(2) << "\n")
                      : print_schema(schema, whole_registries);
  }

  /// Describes plug-ins of that name, with the key of sweep files of the same name; otherwise such
  /// a key, presets or options.
  static void describe(const std::string& name, const CommandContext& context,
                       const po::variables_map& given) {
    const Schema& schema = context.schema();
    const Schema plugins = plugins_named(schema, name);
    const Json key = sweep_key(schema, name);
    if (!plugins.plugins.empty()) {
      print(plugins, given, schema.plugins.count(name) > 0);
      if (!key.is_null() && !wants_json(given)) {
        std::cout << "\n";
        print_sweep_key(name, key);
      }
      return;
    }
    if (!key.is_null()) {
      wants_json(given) ? void(std::cout << key.dump(2) << "\n") : print_sweep_key(name, key);
      return;
    }
    const PresetFiles all = all_presets(context.paths), presets = presets_named(all, name);
    if (!presets.empty() && wants_json(given)) {
      std::cout << presets_as_json(presets).dump(2) << "\n";
    } else if (!presets.empty()) {
      name == kPreset ? print_preset_names(presets) : print_presets(presets, schema);
    } else {
      const Schema options = options_named(schema, name);
      if (options.plugins.empty()) refuse(name, schema, all);
      print(options, given, /*whole_registries=*/false);
    }
  }
};

RETHINK_REGISTERED = add_command<Describe>(
    "describe", "explain jobs, plug-ins, their options and the keys of sweep files");

}  // namespace
}  // namespace rethink
