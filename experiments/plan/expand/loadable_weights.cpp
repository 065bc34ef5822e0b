#include "experiments/plan/expand/loadable_weights.h"

#include <set>

#include "core/config/schema.h"
#include "core/json.h"

namespace rethink {
namespace {

/// Which weights a plug-in has, where its options do not say more.
std::string weights_of(const PluginSchema& plugin) {
  return plugin.facts.value("weights", plugin.name);
}

/// The weights of the plug-ins in a list such as `attention.at`.
void add_weights_of_each(const Field& list, const Json& value, const Schema& schema,
                         std::set<std::string>& weights) {
  const Field& element = list.element();
  for (const Json& one : value)
    weights.insert(weights_of(*schema.find(element.registry, one.at(element.tag))));
}

/// Whether plug-ins in a list take the weights that others left there: one by one those of the same
/// plug-in, or all of them the weights of what they stand beside.
bool load_each_other(const Field& list, const Json& here, const Json& there,
                     const std::set<std::string>& beside, const Schema& schema) {
  const Field& element = list.element();
  bool is_alike = here.size() == there.size();
  for (size_t i = 0; is_alike && i < here.size(); ++i) {
    is_alike = here[i].at(element.tag) == there[i].at(element.tag) &&
               unlike_shapes(element, here[i], there[i], schema).empty();
  }
  std::set<std::string> weights = beside;
  add_weights_of_each(list, here, schema, weights);
  add_weights_of_each(list, there, schema, weights);
  return is_alike || weights.size() == 1;
}

}  // namespace

std::vector<std::string> unlike_shapes(const Field& field, const Json& now, const Json& then,
                                       const Schema& schema) {
  if (now == then) return {};
  std::vector<std::string> unlike;
  std::set<std::string> beside;
  const auto add_those_of = [&](const std::vector<Field>& fields) {
    for (const Field& inner : fields) {
      if (!now.contains(inner.name) || !then.contains(inner.name)) continue;
      const Json &here = now.at(inner.name), &there = then.at(inner.name);
      const bool is_list =
          inner.type == FieldType::list && inner.element().type == FieldType::plugin;
      const bool differs = is_list ? !load_each_other(inner, here, there, beside, schema)
                                   : inner.type != FieldType::plugin && here != there;
      if (inner.shapes && differs) unlike.push_back(inner.name);
      for (const std::string& below : unlike_shapes(inner, here, there, schema))
        unlike.push_back(inner.name + "." + below);
    }
  };
  if (field.type == FieldType::plugin && now.is_object() && then.is_object()) {
    const PluginSchema& here = *schema.find(field.registry, now.at(field.tag));
    const PluginSchema& there = *schema.find(field.registry, then.at(field.tag));
    if (field.shapes && weights_of(here) != weights_of(there)) return {field.tag};
    beside = {weights_of(here), weights_of(there)};
    add_those_of(here.options.fields);
  }
  if (now.is_object() && then.is_object()) add_those_of(field.fields);
  return unlike;
}

}  // namespace rethink
