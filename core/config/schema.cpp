#include "core/config/schema.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/config/registry.h"
#include "core/facts/analysis_facts.h"
#include "core/facts/attention_facts.h"
#include "core/facts/dataset_facts.h"
#include "core/facts/job_facts.h"
#include "core/facts/mask_facts.h"
#include "core/facts/metric_facts.h"
#include "core/json.h"

namespace rethink {
namespace {

constexpr int kFormat = 2;
constexpr std::array<const char*, 9> kTypeNames = {"boolean", "integer", "real", "text", "plugin",
                                                   "object",  "list",    "map",  "value"};

/// Returns an empty list if `json` lacks the key. It returns a reference, since a copy could be
/// half of the schema.
const Json& list_of(const Json& json, const char* key) {
  static const Json kNone = Json::array();
  const auto found = json.find(key);
  return found == json.end() ? kNone : *found;
}

FieldType type_named(const std::string& name) {
  const auto found = std::find(kTypeNames.begin(), kTypeNames.end(), name);
  if (found == kTypeNames.end())
    throw ConfigError("other-build", "schema: unknown field type '" + name + "'");
  return static_cast<FieldType>(found - kTypeNames.begin());
}

Json rules_to_json(const std::vector<Rule>& rules) {
  Json list = Json::array();
  for (const Rule& rule : rules) {
    Json& json = list.emplace_back(
        Json{{"kind", to_text(rule.kind)}, {"fields", rule.fields}, {"message", rule.why}});
    for (const auto& [field, value] : rule.when) json["when"][field] = *value;
    if (!rule.each.empty()) json["each"] = rule.each;
    if (rule.factor != 1) json["factor"] = rule.factor;
    if (rule.more != 0) json["more"] = rule.more;
    if (rule.number != 0) json["number"] = rule.number;
    if (rule.size != 0) json["size"] = rule.size;
    if (!rule.value->is_null()) json["value"] = *rule.value;
    for (const JsonValue& value : rule.values) json["values"].push_back(*value);
    if (!rule.registry.empty()) json["registry"] = rule.registry;
    if (!rule.exception.empty()) json["exception"] = rule.exception;
    if (!rule.fact.empty()) json["fact"] = rule.fact;
  }
  return list;
}

std::vector<Rule> rules_from_json(const Json& json) {
  std::vector<Rule> rules;
  for (const Json& rule : json) {
    Rule& read = rules.emplace_back(
        Rule{rule_kind_named(rule.at("kind")), rule.at("fields"), rule.at("message")});
    if (rule.contains("when")) {
      for (const auto& [field, value] : rule.at("when").items()) read.when.emplace(field, value);
    }
    read.each = rule.value("each", std::string());
    read.factor = rule.value("factor", read.factor);
    read.more = rule.value("more", read.more);
    read.number = rule.value("number", read.number);
    read.size = rule.value("size", read.size);
    if (rule.contains("value")) read.value = rule.at("value");
    for (const Json& value : list_of(rule, "values")) read.values.push_back(value);
    read.registry = rule.value("registry", std::string());
    read.exception = rule.value("exception", std::string());
    read.fact = rule.value("fact", std::string());
  }
  return rules;
}

Json field_to_json(const Field& field) {
  Json json{{"name", field.name},
            {"summary", field.summary},
            {"type", kTypeNames[static_cast<size_t>(field.type)]},
            {"default", field.default_value}};
  if (!field.written.empty()) json["written"] = field.written;
  if (field.required) json["required"] = true;
  if (field.optional) json["optional"] = true;
  if (!field.hashed) json["hashed"] = false;
  if (field.shapes) json["shapes"] = true;
  if (field.may_follow_seed) json["may_follow_seed"] = true;
  if (field.minimum) json[field.exclusive_minimum ? "above" : "min"] = *field.minimum;
  if (field.maximum) json[field.exclusive_maximum ? "below" : "max"] = *field.maximum;
  if (!field.choices.empty()) json["choices"] = field.choices;
  if (field.not_empty) json["not_empty"] = true;
  if (field.any_order) json["any_order"] = true;
  if (!field.registry.empty()) json["registry"] = field.registry;
  if (!field.tag.empty()) json["tag"] = field.tag;
  if (field.absent_means) json["absent_means"] = *field.absent_means;
  for (const Field& inner : field.fields) json["fields"].push_back(field_to_json(inner));
  if (!field.rules.empty()) json["rules"] = rules_to_json(field.rules);
  return json;
}

Field field_from_json(const Json& json) {
  Field field;
  field.name = json.at("name");
  field.summary = json.at("summary");
  field.type = type_named(json.at("type"));
  field.default_value = json.at("default");
  field.written = json.value("written", "");
  field.required = json.value("required", false);
  field.optional = json.value("optional", false);
  field.hashed = json.value("hashed", true);
  field.shapes = json.value("shapes", false);
  field.may_follow_seed = json.value("may_follow_seed", false);
  for (const char* key : {"min", "above"}) {
    if (!json.contains(key)) continue;
    field.minimum = json.at(key).get<double>();
    field.exclusive_minimum = key == std::string("above");
  }
  for (const char* key : {"max", "below"}) {
    if (!json.contains(key)) continue;
    field.maximum = json.at(key).get<double>();
    field.exclusive_maximum = key == std::string("below");
  }
  field.choices = json.value("choices", std::vector<std::string>{});
  field.not_empty = json.value("not_empty", false);
  field.any_order = json.value("any_order", false);
  field.registry = json.value("registry", "");
  field.tag = json.value("tag", "");
  if (json.contains("absent_means")) field.absent_means = json.at("absent_means");
  for (const Json& inner : list_of(json, "fields")) field.fields.push_back(field_from_json(inner));
  field.rules = rules_from_json(list_of(json, "rules"));
  return field;
}

Json options_to_json(const OptionsSchema& options) {
  Json json{{"fields", Json::array()}, {"rules", rules_to_json(options.rules)}};
  for (const Field& field : options.fields) json["fields"].push_back(field_to_json(field));
  return json;
}

OptionsSchema options_from_json(const Json& json) {
  OptionsSchema options;
  for (const Json& field : json.at("fields")) options.fields.push_back(field_from_json(field));
  options.rules = rules_from_json(json.at("rules"));
  return options;
}

/// The struct of the facts of a registry's plug-ins, for programs that read schema.json and do not link the plug-ins;
/// NoFields if they have no facts.
const OptionsType& facts_type(const std::string& registry) {
  static const std::map<std::string, const OptionsType*> types = {
      {"analysis", &kOptionsType<AnalysisFacts>}, {"attention", &kOptionsType<AttentionFacts>},
      {"dataset", &kOptionsType<DatasetFacts>},   {"job", &kOptionsType<JobFacts>},
      {"mask", &kOptionsType<MaskFacts>},         {"metric", &kOptionsType<MetricFacts>}};
  const auto found = types.find(registry);
  return found == types.end() ? kOptionsType<NoFields> : *found->second;
}

PluginFacts facts_of(const std::string& registry, const std::string& name, const Json& json) {
  try {
    return facts_from_json(json, facts_type(registry));
  } catch (const ConfigError& error) {
    throw ConfigError("other-build",
                      fmt::format("schema: facts of {} '{}': {}: build the programs again (make)",
                                  registry, name, error.what()));
  }
}

}  // namespace

const Field* OptionsSchema::find(const std::string& name) const {
  for (const Field& field : fields) {
    if (field.name == name) return &field;
  }
  return nullptr;
}

std::vector<std::string> OptionsSchema::names() const {
  std::vector<std::string> all;
  for (const Field& field : fields) all.push_back(field.name);
  return all;
}

const PluginSchema* Schema::find(const std::string& registry, const std::string& name) const {
  const auto kind = plugins.find(registry);
  if (kind == plugins.end()) return nullptr;
  const auto found = kind->second.find(name);
  return found == kind->second.end() ? nullptr : &found->second;
}

std::vector<std::string> Schema::names(const std::string& registry) const {
  std::vector<std::string> all;
  const auto kind = plugins.find(registry);
  if (kind == plugins.end()) return all;
  for (const auto& [name, plugin] : kind->second) all.push_back(name);
  return all;
}

Json to_json(const Schema& schema) {
  Json json{{"format", kFormat}, {"build_id", schema.build_id}, {"plugins", Json::object()}};
  for (const auto& [registry, plugins] : schema.plugins) {
    for (const auto& [name, plugin] : plugins) {
      Json entry = options_to_json(plugin.options);
      entry["summary"] = plugin.summary;
      entry["revision"] = plugin.revision;
      entry["facts"] = plugin.facts.json();
      entry["source"] = plugin.source;
      entry["code"] = plugin.code;
      json["plugins"][registry][name] = std::move(entry);
    }
  }
  return json;
}

Schema schema_from_json(const Json& json) {
  try {
    if (json.at("format") != kFormat) {
      throw ConfigError(
          "other-build",
          fmt::format("schema: format {}, expected {}: it belongs to another version of rethink",
                      json.at("format").dump(), kFormat));
    }
    Schema schema;
    schema.build_id = json.at("build_id");
    for (const auto& [registry, plugins] : json.at("plugins").items()) {
      for (const auto& [name, entry] : plugins.items()) {
        schema.plugins[registry][name] = {registry,
                                          name,
                                          entry.at("summary"),
                                          entry.at("revision"),
                                          options_from_json(entry),
                                          facts_of(registry, name, entry.at("facts")),
                                          entry.at("source"),
                                          entry.at("code")};
      }
    }
    return schema;
  } catch (const Json::exception& error) {
    throw ConfigError("other-build",
                      fmt::format("schema: {}: build the programs again (make)", error.what()));
  }
}

Schema schema_of_this_program(const std::string& build_id, const SourceHashes& sources) {
  Schema schema{build_id, {}};
  for (const auto& [kind, registry] : registries()) {
    schema.plugins[kind];
    for (const std::string& name : registry->names())
      schema.plugins[kind][name] = registry->schema(name);
  }
  for (auto& [kind, plugins] : schema.plugins) {
    for (auto& [name, plugin] : plugins) {
      const auto hash = sources.find(plugin.source);
      if (hash != sources.end()) plugin.code = hash->second;
    }
  }
  return schema;
}

}  // namespace rethink
