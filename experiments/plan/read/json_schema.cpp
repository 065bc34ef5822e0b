#include "experiments/plan/read/json_schema.h"

#include <fmt/format.h>

#include "core/config/configuration.h"
#include "core/config/schema.h"
#include "core/facts/job_facts.h"
#include "core/json.h"
#include "experiments/plan/read/stage_resources.h"

namespace rethink {
namespace {

Json reference(const std::string& name) {
  return {{"$ref", "#/definitions/" + name}};
}

/// A name with a slash would be a path in a reference.
std::string definition_name(const std::string& registry, const std::string& name) {
  std::string text = registry + ":" + name;
  for (char& c : text) {
    if (c == '/') c = '_';
  }
  return text;
}

Json closed_object(Json properties, const std::string& description = "") {
  Json object{{"type", {"object", "null"}},
              {"properties", std::move(properties)},
              {"patternProperties", {{"^[^.]+[.]", Json::object()}}},
              {"additionalProperties", false}};
  if (!description.empty()) object["description"] = description;
  return object;
}

class SchemaWriter {
 public:
  explicit SchemaWriter(const Schema& schema) : schema_(schema) {}

  Json write() {
    Json stage{{"anyOf", Json::array()}};
    for (const std::string& job : schema_.names("job")) stage["anyOf"].push_back(stage_of(job));
    Json used = closed_object(used_properties());
    used["required"] = {"use"};
    used["additionalProperties"] = true;
    stage["anyOf"].push_back(used);
    definitions_["stage"] = stage;
    Json root = closed_object(top_properties());
    root["$schema"] = "http://json-schema.org/draft-07/schema#";
    root["title"] = "rethink sweep";
    root["type"] = "object";
    root["required"] = {"sweep", "stages"};
    root.erase("patternProperties");
    root["definitions"] = definitions_;
    return root;
  }

  Json map_of(const std::string& title, const OptionsSchema& options) {
    Json element = closed_object(properties_of(options.fields));
    element.erase("patternProperties");  // its keys have no dots
    for (const Field& field : options.fields) {
      if (field.required) element["required"].push_back(field.name);
    }
    return {{"$schema", "http://json-schema.org/draft-07/schema#"},
            {"title", title},
            {"type", "object"},
            {"additionalProperties", element}};
  }

  Json keys_of_sweeps() {
    Json keys = top_properties();
    const Json of_stages = used_properties();
    for (const auto& [name, key] : of_stages.items()) keys.emplace(name, key);
    return keys;
  }

 private:
  Json properties_of(const std::vector<Field>& fields) {
    Json properties = Json::object();
    for (const Field& field : fields) {
      properties[field.name] = value_of(field);
      properties[field.name_in_files()] = properties[field.name];
    }
    return properties;
  }

  Json value_of(const Field& field) {
    Json value = type_of(field);
    std::string description = field.summary;
    if (field.required) description += " (required)";
    if (!field.hashed) description += " (not part of a trial's identity)";
    if (field.may_follow_seed) description += " (seed: the trial's own)";
    if (!description.empty()) value["description"] = description;
    if (!field.default_value.is_null() && !field.default_value.is_object())
      value["default"] = field.default_value;
    if (field.not_empty) value["minItems"] = 1;
    if (field.minimum)
      value[field.exclusive_minimum ? "exclusiveMinimum" : "minimum"] = *field.minimum;
    if (field.maximum)
      value[field.exclusive_maximum ? "exclusiveMaximum" : "maximum"] = *field.maximum;
    return value;
  }

  Json type_of(const Field& field) {
    switch (field.type) {
      case FieldType::boolean:
        return {{"type", {"boolean", "null"}}};
      case FieldType::integer:
        if (field.may_follow_seed)
          return {{"anyOf", {{{"type", {"integer", "null"}}}, {{"const", kSeedWord}}}}};
        return {{"type", {"integer", "null"}}};
      case FieldType::real:
        return {{"type", {"number", "null"}}};
      case FieldType::text: {
        if (field.form) return {{"type", {"string", "null"}}, {"pattern", field.form->pattern}};
        if (field.choices.empty()) return {{"type", {"string", "number", "boolean", "null"}}};
        Json choices = field.choices;
        choices.push_back(nullptr);
        return {{"enum", choices}};
      }
      case FieldType::list:
        return {{"type", {"array", "null"}}, {"items", value_of(field.element())}};
      case FieldType::map:
        return {{"type", {"object", "null"}}, {"additionalProperties", value_of(field.element())}};
      case FieldType::value:
        return Json::object();
      case FieldType::object:
        return closed_object(with_preset(properties_of(field.fields)));
      case FieldType::plugin:
        return plugin_of(field);
    }
    return Json::object();
  }

  static Json with_preset(Json properties) {
    properties["preset"] = {{"type", {"string", "null"}},
                            {"description", "a preset to lay under this map"}};
    return properties;
  }

  /// One alternative for each plug-in, and one for a map that leaves the choice to a preset, an
  /// axis or the default.
  Json plugin_of(const Field& field) {
    Json alternatives = Json::array(), all_properties = Json::object();
    for (const std::string& name : schema_.names(field.registry)) {
      alternatives.push_back(reference(define(field, name)));
      const Json& properties = definitions_[define(field, name)]["properties"];
      for (const auto& [key, value] : properties.items()) all_properties.emplace(key, value);
    }
    all_properties.erase(field.tag);
    alternatives.push_back(closed_object(all_properties));
    return {{"anyOf", alternatives}};
  }

  std::string define(const Field& field, const std::string& name) {
    const std::string key = definition_name(field.registry, name) + ":" + field.tag;
    if (definitions_.contains(key)) return key;
    // Ends the recursion for a plug-in that contains its own kind.
    definitions_[key] = Json::object();
    const PluginSchema& plugin = *schema_.find(field.registry, name);
    Json properties = with_preset(properties_of(plugin.options.fields));
    properties.update(properties_of(field.fields));
    properties[field.tag] = {{"const", name}, {"description", plugin.summary}};
    Json object = closed_object(std::move(properties), plugin.summary);
    object["required"] = {field.tag};
    definitions_[key] = object;
    return key;
  }

  Json stage_of(const std::string& name) {
    const PluginSchema& job = *schema_.find("job", name);
    Json properties = with_preset(properties_of(job.options.fields));
    properties.update(stage_properties());
    properties["job"] = {{"const", name}, {"description", job.summary}};
    for (const auto& [slot, kind] : job.facts.as<JobFacts>().inputs) {
      properties["needs"]["properties"][slot] = {
          {"type", {"string", "object"}}, {"description", fmt::format("{} of a stage", kind)}};
    }
    properties["needs"]["additionalProperties"] = false;
    Json stage = closed_object(std::move(properties), job.summary);
    stage["required"] = {"job"};
    return stage;
  }

  static Json map_with(const std::string& description) {
    return {{"type", {"object", "null"}}, {"description", description}};
  }

  Json settings_properties() {
    Json properties;
    for (const Field& field : setting_fields()) {
      Json& property = properties[field.name];
      property = field.type == FieldType::object
                     ? closed_object(properties_of(field.fields), field.summary)
                     : value_of(field);
      property.erase("patternProperties");  // their keys have no dots
    }
    return properties;
  }

  static Json seeds() {
    return {{"type", "array"},
            {"items", {{"type", "integer"}, {"minimum", 0}}},
            {"minItems", 1},
            {"uniqueItems", true}};
  }

  Json stage_properties() {
    Json properties = settings_properties();
    properties["seeds"] = seeds();
    properties["needs"] = map_with("input slot: the stage that fills it, or {file: DIR}");
    properties["where"] = {{"description", "narrows the stages that are needed: {AXIS: VALUE}"}};
    properties["cases"] = map_with("axes of named overlays: {AXIS: {LABEL: {KEY: VALUE}}}");
    properties["grid"] =
        map_with("axes that multiply: {KEY: [VALUES]} or a range {from, to, step}");
    properties["zip"] = {{"description", "axes that run in step: {KEY: [VALUES], KEY: [VALUES]}"}};
    properties["random"] = map_with("{count, seed, KEY: {log: [low, high]}}");
    properties["when"] =
        map_with("keeps an axis only where it has meaning: {AXIS: [{OTHER: VALUE}]}");
    properties["exclude"] = {{"description", "drops points: [{AXIS: VALUE, ...}]"}};
    return properties;
  }

  Json used_properties() {
    Json properties = stage_properties();
    properties["use"] = {{"type", "string"},
                         {"description", "FILE.yaml#stage: a stage of another sweep"}};
    return properties;
  }

  Json top_properties() {
    Json properties = settings_properties();
    properties["sweep"] = {{"type", "string"}, {"description", "the sweep's name"}};
    properties["description"] = {{"type", "string"}};
    properties["seeds"] = seeds();
    properties["stages"] = {
        {"type", "object"}, {"additionalProperties", reference("stage")}, {"minProperties", 1}};
    properties["profiles"] = {{"type", "object"},
                              {"additionalProperties", map_with("an overlay, chosen by --profile")},
                              {"description", "overlays: {NAME: {seeds, stages.STAGE: {...}}}"}};
    return properties;
  }

  const Schema& schema_;
  Json definitions_ = Json::object();
};

}  // namespace

Json sweep_json_schema(const Schema& schema) {
  return SchemaWriter(schema).write();
}

Json map_json_schema(const std::string& title, const OptionsSchema& options) {
  return SchemaWriter({}).map_of(title, options);
}

Json sweep_keys(const Schema& schema) {
  return SchemaWriter(schema).keys_of_sweeps();
}

}  // namespace rethink
