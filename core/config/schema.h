// All options, as data: rethink-worker writes the schema from the option structs, and rethink
// plans, checks, hashes, completes and documents from it without LibTorch.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/config/options.h"
#include "core/config/plugin_facts.h"
#include "core/json.h"

namespace rethink {

enum class FieldType { boolean, integer, real, text, plugin, object, list, map, value };

/// Format of a text that means a number, such as a duration.
struct TextForm {
  std::string expected;  // for messages: "a duration such as 30s, 15min, 12h or 2d"
  std::string pattern;   // a regular expression, for editors
  std::optional<double> (*value_in)(const std::string& text);  // nothing: the text has another form
};

/// An option. Canonical values are boolean, integer, float, string, object and array; null = not
/// set. A map has the user's own keys. A value is anything that YAML can write.
struct Field {
  std::string name;     // in configurations, and so in stores and identities
  std::string written;  // the word in files, if it is not `name`; files may use `name` too
  std::string summary;  // meaning, with its unit in brackets
  FieldType type = FieldType::text;
  Json default_value;     // null when required or optional
  bool required = false;  // must be given
  bool optional = false;  // null is a value: "not set"
  bool hashed = true;     // part of a trial's identity
  bool shapes = false;    // decides the weights' shapes: weights of another value do not load
  bool may_follow_seed = false;  // integer: a sweep may say `seed` (core/config/configuration.h)
  std::optional<double> minimum, maximum;
  bool exclusive_minimum = false, exclusive_maximum = false;
  std::vector<std::string> choices;  // text: the only values allowed; empty = any
  const TextForm* form = nullptr;    // text: of the planner's settings only, never written to JSON
  bool not_empty = false;            // list: has at least one element
  bool any_order = false;            // list: a set; sorted, and each element once
  std::string registry, tag;  // plugin: registry's kind, and the key that holds the plug-in's name
  std::vector<Field> fields;  // object: its options; list, map: one element, unnamed
  std::vector<Rule> rules;    // object, plugin: between `fields`
  std::optional<Json> absent_means;  // left out of the identity when equal: a field added later

  bool has_elements() const { return type == FieldType::list || type == FieldType::map; }
  const Field& element() const { return fields.front(); }
  const std::string& name_in_files() const { return written.empty() ? name : written; }
  bool is_called(const std::string& key) const { return key == name || key == name_in_files(); }
};

/// The options of a plug-in.
struct OptionsSchema {
  std::vector<Field> fields;
  std::vector<Rule> rules;

  const Field* find(const std::string& name) const;
  std::vector<std::string> names() const;
};

/// A plug-in of a registry. `facts` are its declarations beside options: JobFacts for a job,
/// DatasetFacts for a data set (core/facts).
struct PluginSchema {
  std::string registry, name, summary;
  int revision = 1;  // raised by hand when the plug-in's numbers change
  OptionsSchema options;
  PluginFacts facts{};
  std::string source{};  // the file that registers it, from the root of the checkout
  std::string code{};    // hash of the code in `source`; empty where no trial records it
};

struct Schema {
  std::string build_id;  // of the worker that wrote it
  std::map<std::string, std::map<std::string, PluginSchema>> plugins;  // [registry][name]

  /// Returns null if it does not exist.
  const PluginSchema* find(const std::string& registry, const std::string& name) const;
  std::vector<std::string> names(const std::string& registry) const;
};

Json to_json(const Schema& schema);
/// Throws ConfigError when `json` is not a schema that this program understands.
Schema schema_from_json(const Json& json);

/// Hashes of the code of this program's sources, by paths from the root of the checkout.
using SourceHashes = std::map<std::string, std::string>;

/// Returns the registries of this program as a schema (core/config/registry.h). A plug-in has
/// `code` if `sources` has its source. Plug-ins of one source, such as a table's entries, share it: a
/// change of the source counts as a change of each.
Schema schema_of_this_program(const std::string& build_id, const SourceHashes& sources = {});

}  // namespace rethink
