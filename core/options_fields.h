// How the C++ types of options that hold others stand in the schema and in JSON: structs, plug-ins,
// optionals, lists. Included by core/options.h only.
#pragma once

#include "core/options.h"
#include "core/plain_fields.h"

namespace rethink {

/// The complete options of a plug-in: what is missing gets its default. Throws ConfigError when
/// there is no such registry, plug-in or option. Requires: not called during static initialisation.
Json complete_plugin_options(const std::string& registry, const std::string& name,
                             const Json& given);

template <HasFields O>
struct FieldTraits<O> {
  static void describe(Field& field, const O&) {
    field.type = FieldType::object;
    OptionsSchema inner = describe_options<O>();
    field.fields = std::move(inner.fields);
    field.rules = std::move(inner.rules);
  }
  static Json to_json(const O& value) { return write_options(value); }
  static void read(const Json& json, const std::string& name, O& value) {
    if (!json.is_object()) wrong_type(name, json, "a map of options");
    value = read_options<O>(json);
  }
};

template <Name registry, Name tag, HasFields Common>
struct FieldTraits<Choice<registry, tag, Common>> {
  using Value = Choice<registry, tag, Common>;
  static void describe(Field& field, const Value&) {
    field.type = FieldType::plugin;
    field.registry = registry.text;
    field.tag = tag.text;
    OptionsSchema beside = describe_options<Common>();
    field.fields = std::move(beside.fields);
    field.rules = std::move(beside.rules);
  }
  static Json to_json(const Value& value) {
    if (value.name.empty()) return nullptr;  // required: there is no default plug-in
    Json json = complete_plugin_options(registry.text, value.name, value.options);
    json.update(write_options(value.common));
    json[tag.text] = value.name;
    return json;
  }
  static void read(const Json& json, const std::string& name, Value& value) {
    if (!json.is_object() || !json.contains(tag.text))
      wrong_type(name, json, "a map with the plug-in's name");
    value.options = json;
    FieldTraits<std::string>::read(json.at(tag.text), name + "." + tag.text, value.name);
    value.options.erase(tag.text);
    Json common = Json::object();
    for (const Field& field : describe_options<Common>().fields) {
      if (!value.options.contains(field.name)) continue;
      common[field.name] = value.options[field.name];
      value.options.erase(field.name);
    }
    value.common = read_options<Common>(common);
    value.options = complete_plugin_options(registry.text, value.name, value.options);
  }
};

template <typename T>
struct FieldTraits<std::optional<T>> {
  static void describe(Field& field, const std::optional<T>& value) {
    FieldTraits<T>::describe(field, value.value_or(T{}));
    field.optional = true;
  }
  static Json to_json(const std::optional<T>& value) {
    return value ? FieldTraits<T>::to_json(*value) : Json();
  }
  static void read(const Json& json, const std::string& name, std::optional<T>& value) {
    value.reset();
    if (!json.is_null()) FieldTraits<T>::read(json, name, value.emplace());
  }
};

template <typename T>
struct FieldTraits<std::vector<T>> {
  static void describe(Field& field, const std::vector<T>&) {
    field.type = FieldType::list;
    field.fields.resize(1);
    FieldTraits<T>::describe(field.fields.front(), T{});
  }
  static Json to_json(const std::vector<T>& values) {
    Json list = Json::array();
    for (const T& value : values) list.push_back(FieldTraits<T>::to_json(value));
    return list;
  }
  static void read(const Json& json, const std::string& name, std::vector<T>& values) {
    if (!json.is_array()) wrong_type(name, json, "a list");
    values.clear();
    for (const Json& item : json) {
      T value{};
      FieldTraits<T>::read(item, name + "[" + std::to_string(values.size()) + "]", value);
      values.push_back(std::move(value));
    }
  }
};

template <typename T>
FieldBuilder Fields::operator()(const char* name, T& value, const char* summary) {
  Field& field = described_.emplace_back();
  field.name = name;
  field.summary = summary;
  FieldTraits<T>::describe(field, value);
  switch (purpose_) {
    case Purpose::describe:
      field.default_value = FieldTraits<T>::to_json(value);
      break;
    case Purpose::read:
      if (json_.contains(name)) FieldTraits<T>::read(json_.at(name), name, value);
      break;
    case Purpose::write:
      json_[name] = FieldTraits<T>::to_json(value);
  }
  return FieldBuilder(described_, described_.size() - 1);
}

}  // namespace rethink
