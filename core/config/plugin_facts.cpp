#include "core/config/plugin_facts.h"

#include "core/config/schema.h"
#include "core/json.h"

namespace rethink {
namespace {

void remove_defaults(Json& facts, const std::vector<Field>& fields) {
  for (const Field& field : fields) {
    Json& value = facts.at(field.name);
    if (!field.required && value == field.default_value) {
      facts.erase(field.name);
    } else if (field.type == FieldType::object && !field.fields.empty()) {
      remove_defaults(value, field.fields);
    } else if (field.type == FieldType::list && field.element().type == FieldType::object) {
      for (Json& element : value) remove_defaults(element, field.element().fields);
    }
  }
}

}  // namespace

PluginFacts::PluginFacts(std::shared_ptr<const void> facts, const OptionsType& type)
    : facts_(std::move(facts)), type_(&type) {
  Json json = write_options(facts_.get(), type);
  remove_defaults(json, describe_options(type).fields);
  json_ = json;
}

PluginFacts::PluginFacts(std::shared_ptr<const void> facts, const OptionsType& type,
                         const Json& json)
    : facts_(std::move(facts)), type_(&type), json_(json) {}

PluginFacts facts_from_json(const Json& json, const OptionsType& type) {
  const std::shared_ptr<void> facts = type.make();
  read_options(json, facts.get(), type);
  return {facts, type, json};
}

}  // namespace rethink
