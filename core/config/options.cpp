#include "core/config/options.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/config/registry.h"
#include "core/config/schema.h"
#include "core/json.h"

namespace rethink {
namespace {

[[noreturn]] void wrong_type(const std::string& name, const Json& got, const char* expected) {
  throw ConfigError("invalid-value",
                    fmt::format("{}: got {}, expected {}", name, got.dump(), expected));
}

/// The field that holds the constraints of single values.
Field& values_of(Field& field) {
  return field.has_elements() ? field.fields.front() : field;
}

/// Throws ConfigError if a key of `json` is not a field, or if a required field is missing.
void require_exactly(const Json& json, const std::vector<Field>& fields) {
  std::vector<std::string> known;
  for (const Field& field : fields) {
    known.push_back(field.name);
    if (field.required && !json.contains(field.name)) {
      throw ConfigError("missing-key",
                        fmt::format("'{}' is missing: {}", field.name, field.summary));
    }
  }
  for (const auto& [key, value] : json.items()) {
    if (std::find(known.begin(), known.end(), key) != known.end()) continue;
    throw ConfigError("unknown-key", fmt::format("unknown key '{}'{}; known: {}", key,
                                                 did_you_mean(key, known), joined(known)));
  }
}

template <typename T>
struct PlainType;
template <>
struct PlainType<bool> {
  static constexpr FieldType type = FieldType::boolean;
  static constexpr const char* expected = "true or false";
  static bool fits(const Json& json) { return json.is_boolean(); }
};
template <>
struct PlainType<int64_t> {
  static constexpr FieldType type = FieldType::integer;
  static constexpr const char* expected = "an integer";
  static bool fits(const Json& json) { return json.is_number_integer(); }
};
template <>
struct PlainType<double> {
  static constexpr FieldType type = FieldType::real;
  static constexpr const char* expected = "a number";
  static bool fits(const Json& json) { return json.is_number(); }
};
template <>
struct PlainType<std::string> {
  static constexpr FieldType type = FieldType::text;
  static constexpr const char* expected = "text";
  static bool fits(const Json& json) { return json.is_string(); }
};

}  // namespace

template <typename T>
void PlainFieldTraits<T>::describe(Field& field, const T&) {
  field.type = PlainType<T>::type;
}
template <typename T>
void PlainFieldTraits<T>::write(Json& json, const T& value) {
  json = value;
}
template <typename T>
void PlainFieldTraits<T>::read(const Json& json, const std::string& name, T& value) {
  if (!PlainType<T>::fits(json)) wrong_type(name, json, PlainType<T>::expected);
  value = json.get<T>();
}
template struct PlainFieldTraits<bool>;
template struct PlainFieldTraits<int64_t>;
template struct PlainFieldTraits<double>;
template struct PlainFieldTraits<std::string>;

void FieldTraits<JsonValue>::describe(Field& field, const JsonValue&) {
  field.type = FieldType::value;
}
void FieldTraits<JsonValue>::write(Json& json, const JsonValue& value) {
  json = *value;
}
void FieldTraits<JsonValue>::read(const Json& json, const std::string&, JsonValue& value) {
  value = json;
}

void describe_struct(Field& field, const OptionsType& type) {
  OptionsSchema inner = describe_options(type);
  field.type = FieldType::object;
  field.fields = std::move(inner.fields);
  field.rules = std::move(inner.rules);
}

void write_struct(Json& json, const void* options, const OptionsType& type) {
  json = write_options(options, type);
}

void read_struct(const Json& json, const std::string& name, void* options,
                 const OptionsType& type) {
  if (!json.is_object()) wrong_type(name, json, "a map of options");
  read_options(json, options, type);
}

void describe_choice(Field& field, const ChoiceParts& choice) {
  describe_struct(field, choice.common_type);
  field.type = FieldType::plugin;
  field.registry = choice.registry;
  field.tag = choice.tag;
}

void write_choice(Json& json, const ChoiceParts& choice) {
  json = nullptr;  // the option is required, since there is no default plug-in
  if (choice.name.empty()) return;
  json = find_registry(choice.registry).completed(choice.name, *choice.options);
  json.update(write_options(choice.common, choice.common_type));
  json[choice.tag] = choice.name;
}

void read_choice(const Json& json, const std::string& name, const ChoiceParts& choice) {
  if (!json.is_object() || !json.contains(choice.tag))
    wrong_type(name, json, "a map with the plug-in's name");
  FieldTraits<std::string>::read(json.at(choice.tag), name + "." + choice.tag, choice.name);
  Json own = json, common = Json::object();
  own.erase(choice.tag);
  for (const Field& field : describe_options(choice.common_type).fields) {
    if (!own.contains(field.name)) continue;
    common[field.name] = own[field.name];
    own.erase(field.name);
  }
  read_options(common, choice.common, choice.common_type);
  choice.options = find_registry(choice.registry).completed(choice.name, own);
}

void describe_optional(Field& field) {
  field.optional = true;
}
void write_null(Json& json) {
  json = nullptr;
}
bool is_null(const Json& json) {
  return json.is_null();
}

Field& describe_list(Field& field) {
  field.type = FieldType::list;
  field.fields.resize(1);
  return field.fields.front();
}
void write_empty_list(Json& json) {
  json = Json::array();
}
Json& append_null(Json& list) {
  return list.emplace_back(nullptr);
}
size_t list_size(const Json& json, const std::string& name) {
  if (!json.is_array()) wrong_type(name, json, "a list");
  return json.size();
}
const Json& list_element(const Json& list, size_t index) {
  return list.at(index);
}

Field& describe_map(Field& field) {
  field.type = FieldType::map;
  field.fields.resize(1);
  return field.fields.front();
}
void write_empty_map(Json& json) {
  json = Json::object();
}
Json& add_member(Json& map, const std::string& key) {
  return map[key];
}
std::vector<std::string> keys_of_map(const Json& json, const std::string& name) {
  if (!json.is_object()) wrong_type(name, json, "a map");
  std::vector<std::string> keys;
  for (const auto& [key, value] : json.items()) keys.push_back(key);
  return keys;
}
const Json& map_value(const Json& map, const std::string& key) {
  return map.at(key);
}

FieldBuilder& FieldBuilder::min(double value) {
  values_of(field_).minimum = value;
  return *this;
}
FieldBuilder& FieldBuilder::max(double value) {
  values_of(field_).maximum = value;
  return *this;
}
FieldBuilder& FieldBuilder::above(double value) {
  values_of(field_).exclusive_minimum = true;
  return min(value);
}
FieldBuilder& FieldBuilder::below(double value) {
  values_of(field_).exclusive_maximum = true;
  return max(value);
}
FieldBuilder& FieldBuilder::one_of(std::vector<std::string> all) {
  values_of(field_).choices = std::move(all);
  return *this;
}
FieldBuilder& FieldBuilder::not_empty() {
  field_.not_empty = true;
  return *this;
}
FieldBuilder& FieldBuilder::any_order() {
  field_.any_order = true;
  return *this;
}
FieldBuilder& FieldBuilder::required() {
  field_.required = true;
  field_.default_value = nullptr;
  return *this;
}
FieldBuilder& FieldBuilder::shapes() {
  field_.shapes = true;
  return *this;
}
FieldBuilder& FieldBuilder::may_follow_seed() {
  RETHINK_ASSERT(field_.type == FieldType::integer, field_.name);
  field_.may_follow_seed = true;
  return *this;
}
FieldBuilder& FieldBuilder::written(const char* name) {
  field_.written = name;
  return *this;
}
FieldBuilder& FieldBuilder::not_hashed() {
  field_.hashed = false;
  return *this;
}
FieldBuilder& FieldBuilder::absent_means(const JsonValue& value) {
  field_.absent_means = *value;
  return *this;
}

Field& Fields::add(const char* name, const char* summary) {
  Field& field = described_.emplace_back();
  field.name = name;
  field.summary = summary;
  return field;
}

const Json* Fields::readable(const char* name) const {
  return purpose_ == Purpose::read && given_->contains(name) ? &given_->at(name) : nullptr;
}

Json* Fields::writable(Field& field) const {
  switch (purpose_) {
    case Purpose::describe:
      return &field.default_value;
    case Purpose::write:
      return &(*written_)[field.name];
    case Purpose::read:
      break;
  }
  return nullptr;
}

OptionsSchema describe_options(const OptionsType& type) {
  OptionsSchema schema;
  Fields fields(Fields::Purpose::describe, nullptr, nullptr, schema.fields);
  type.visit(type.make().get(), fields);
  if (type.rules) schema.rules = type.rules();
  return schema;
}

void read_options(const Json& json, void* options, const OptionsType& type) {
  std::vector<Field> described;
  Fields fields(Fields::Purpose::read, &json, nullptr, described);
  type.visit(options, fields);
  require_exactly(json, described);
}

Json write_options(const void* options, const OptionsType& type) {
  Json json = Json::object();
  std::vector<Field> described;
  Fields fields(Fields::Purpose::write, nullptr, &json, described);
  // `fields` takes the members by reference, since reading sets them. Writing changes no member.
  type.visit(const_cast<void*>(options), fields);
  return json;
}

}  // namespace rethink
