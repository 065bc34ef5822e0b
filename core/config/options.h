// An options struct declares each field once - name, default, meaning with unit - and everything
// else is derived: the schema, reading from JSON, writing the canonical value.
//
//   struct LocalOptions {
//     int64_t window = 4;
//     void fields(Fields& field) {
//       field("window", window, "tokens seen on each side [tokens]").min(1);
//     }
//     static std::vector<Rule> rules() { return {}; }   // optional
//   };
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/config/rule.h"
#include "core/error.h"
#include "core/json_fwd.h"
#include "core/json_value.h"

namespace rethink {

class Fields;
struct Field;          // core/config/schema.h
struct OptionsSchema;  // core/config/schema.h

template <typename T>
concept HasFields = requires(T options, Fields& field) {
  options.fields(field);
};

/// Functions of an options struct's type for core/config/options.cpp.
struct OptionsType {
  std::shared_ptr<void> (*make)();               // an instance with every default
  void (*visit)(void* options, Fields& fields);  // calls the instance's `fields`
  std::vector<Rule> (*rules)();                  // null: the struct has no rules
};

template <HasFields O>
constexpr OptionsType make_options_type() {
  OptionsType type{
      .make = []() -> std::shared_ptr<void> { return std::make_shared<O>(); },
      .visit = [](void* options, Fields& fields) { static_cast<O*>(options)->fields(fields); },
      .rules = nullptr};
  if constexpr (requires { &O::rules; }) type.rules = &O::rules;
  return type;
}

template <HasFields O>
inline constexpr OptionsType kOptionsType = make_options_type<O>();

struct NoFields {
  void fields(Fields&) {}
};

/// A text as a template argument.
template <size_t N>
struct Name {
  char text[N];
  constexpr Name(const char (&given)[N]) { std::copy_n(given, N, text); }
};

/// A choice of a plug-in by name from a registry, with the plug-in's own options: a tagged union.
/// In YAML and JSON it is one map, {kind: local, window: 4}. `tag` is the key of the name, and the
/// fields of `Common` are keys of the same map.
template <Name registry, Name tag = "name", HasFields Common = NoFields>
struct Choice {
  std::string name;
  JsonValue options = JsonValue::object();  // the plug-in's own; a missing key has its default
  Common common{};
};

// Description of the C++ types of options in the schema, and conversion from and to JSON. The
// definitions of Json and Field are not needed, so that a plug-in compiles without them.

/// What can be done with a value of type T:
///   describe(field, value)   sets the field's type; `value` is the default
///   write(json, value)       sets `json`
///   read(json, name, value)  sets `value`; throws ConfigError "NAME: got X, expected Y"
template <typename T>
struct FieldTraits;

template <typename T>
struct PlainFieldTraits {
  static void describe(Field& field, const T& value);
  static void write(Json& json, const T& value);
  static void read(const Json& json, const std::string& name, T& value);
};
template <>
struct FieldTraits<bool> : PlainFieldTraits<bool> {};
template <>
struct FieldTraits<int64_t> : PlainFieldTraits<int64_t> {};
template <>
struct FieldTraits<double> : PlainFieldTraits<double> {};
template <>
struct FieldTraits<std::string> : PlainFieldTraits<std::string> {};

/// Anything that YAML can write.
template <>
struct FieldTraits<JsonValue> {
  static void describe(Field& field, const JsonValue& value);
  static void write(Json& json, const JsonValue& value);
  static void read(const Json& json, const std::string& name, JsonValue& value);
};

void describe_struct(Field& field, const OptionsType& type);
void write_struct(Json& json, const void* options, const OptionsType& type);
void read_struct(const Json& json, const std::string& name, void* options, const OptionsType& type);

template <HasFields O>
struct FieldTraits<O> {
  static void describe(Field& field, const O&) { describe_struct(field, kOptionsType<O>); }
  static void write(Json& json, const O& value) { write_struct(json, &value, kOptionsType<O>); }
  static void read(const Json& json, const std::string& name, O& value) {
    value = O{};
    read_struct(json, name, &value, kOptionsType<O>);
  }
};

/// The parts of a Choice, whatever its template arguments are.
struct ChoiceParts {
  const char *registry, *tag;
  std::string& name;
  JsonValue& options;
  void* common;
  const OptionsType& common_type;
};
void describe_choice(Field& field, const ChoiceParts& choice);
void write_choice(Json& json, const ChoiceParts& choice);
void read_choice(const Json& json, const std::string& name, const ChoiceParts& choice);

template <Name registry, Name tag, HasFields Common>
struct FieldTraits<Choice<registry, tag, Common>> {
  using Value = Choice<registry, tag, Common>;
  static ChoiceParts parts(Value& value) {
    return {registry.text, tag.text,      value.name,
            value.options, &value.common, kOptionsType<Common>};
  }
  static void describe(Field& field, Value value) { describe_choice(field, parts(value)); }
  static void write(Json& json, Value value) { write_choice(json, parts(value)); }
  static void read(const Json& json, const std::string& name, Value& value) {
    value = Value{};
    read_choice(json, name, parts(value));
  }
};

void describe_optional(Field& field);
void write_null(Json& json);
bool is_null(const Json& json);

template <typename T>
struct FieldTraits<std::optional<T>> {
  static void describe(Field& field, const std::optional<T>& value) {
    FieldTraits<T>::describe(field, value.value_or(T{}));
    describe_optional(field);
  }
  static void write(Json& json, const std::optional<T>& value) {
    value ? FieldTraits<T>::write(json, *value) : write_null(json);
  }
  static void read(const Json& json, const std::string& name, std::optional<T>& value) {
    value.reset();
    if (!is_null(json)) FieldTraits<T>::read(json, name, value.emplace());
  }
};

Field& describe_list(Field& field);  // returns the element, to be described
void write_empty_list(Json& json);
Json& append_null(Json& list);                                // returns the new element
size_t list_size(const Json& json, const std::string& name);  // throws when it is no list
const Json& list_element(const Json& list, size_t index);

template <typename T>
struct FieldTraits<std::vector<T>> {
  static void describe(Field& field, const std::vector<T>&) {
    FieldTraits<T>::describe(describe_list(field), T{});
  }
  static void write(Json& json, const std::vector<T>& values) {
    write_empty_list(json);
    for (const T& value : values) FieldTraits<T>::write(append_null(json), value);
  }
  static void read(const Json& json, const std::string& name, std::vector<T>& values) {
    values.assign(list_size(json, name), T{});
    for (size_t i = 0; i < values.size(); ++i) {
      FieldTraits<T>::read(list_element(json, i), name + "[" + std::to_string(i) + "]", values[i]);
    }
  }
};

Field& describe_map(Field& field);  // returns the element, to be described
void write_empty_map(Json& json);
Json& add_member(Json& map, const std::string& key);  // returns the new value
std::vector<std::string> keys_of_map(const Json& json,
                                     const std::string& name);  // throws when it is no map
const Json& map_value(const Json& map, const std::string& key);

/// A map of values whose keys the user chooses.
template <typename T>
struct FieldTraits<std::map<std::string, T>> {
  static void describe(Field& field, const std::map<std::string, T>&) {
    FieldTraits<T>::describe(describe_map(field), T{});
  }
  static void write(Json& json, const std::map<std::string, T>& values) {
    write_empty_map(json);
    for (const auto& [key, value] : values) FieldTraits<T>::write(add_member(json, key), value);
  }
  static void read(const Json& json, const std::string& name, std::map<std::string, T>& values) {
    values.clear();
    for (const std::string& key : keys_of_map(json, name))
      FieldTraits<T>::read(map_value(json, key), name + "." + key, values[key]);
  }
};

/// Constraints of the field that was just declared, chained after it. Ranges and choices of a list
/// apply to its elements.
class FieldBuilder {
 public:
  explicit FieldBuilder(Field& field) : field_(field) {}
  FieldBuilder& min(double value);
  FieldBuilder& max(double value);
  FieldBuilder& above(double value);
  FieldBuilder& below(double value);
  FieldBuilder& one_of(std::vector<std::string> all);
  FieldBuilder& not_empty();
  /// Marks a list whose order has no meaning. Requires: its default is sorted.
  FieldBuilder& any_order();
  FieldBuilder& required();
  /// The value decides which weights a model has. For a choice, only the plug-in's name decides
  /// this; the plug-in's own options have this mark themselves.
  FieldBuilder& shapes();
  /// A sweep may give the word `seed` instead of a number: the seed of each trial. Requires: an
  /// integer. A program never reads the word; a plan resolves it (core/config/configuration.h).
  FieldBuilder& may_follow_seed();
  /// Sets the word that files write, for example a paper's word. Files may also use the option's
  /// name, which stores keep, so that identities stay. Requires: no other option of the plug-in has
  /// this word, and no rule names this option.
  FieldBuilder& written(const char* name);
  FieldBuilder& not_hashed();
  FieldBuilder& absent_means(const JsonValue& value);

 private:
  Field& field_;
};

/// Visits an options struct for one of three purposes.
class Fields {
 public:
  enum class Purpose { describe, read, write };
  /// Reads from `given` or writes to `written`. A pointer that the purpose does not use may be
  /// null. `described` receives the description of each field.
  Fields(Purpose purpose, const Json* given, Json* written, std::vector<Field>& described)
      : purpose_(purpose), given_(given), written_(written), described_(described) {}

  template <typename T>
  FieldBuilder operator()(const char* name, T& value, const char* summary) {
    Field& field = add(name, summary);
    FieldTraits<T>::describe(field, value);
    if (const Json* json = readable(name)) FieldTraits<T>::read(*json, name, value);
    if (Json* json = writable(field)) FieldTraits<T>::write(*json, value);
    return FieldBuilder(field);
  }

 private:
  Field& add(const char* name, const char* summary);
  const Json* readable(const char* name) const;  // null: not reading, or the key is missing
  Json* writable(Field& field) const;  // returns the description's default, or the key's value

  Purpose purpose_;
  const Json* given_;
  Json* written_;
  std::vector<Field>& described_;
};

OptionsSchema describe_options(const OptionsType& type);
void read_options(const Json& json, void* options, const OptionsType& type);
Json write_options(const void* options, const OptionsType& type);

/// The fields and rules of O, as OptionsSchema (core/config/schema.h).
template <HasFields O>
auto describe_options() {  // `auto`: the result's type is not defined here
  return describe_options(kOptionsType<O>);
}

/// Reads a typed value from write_options or core/config/check.h. A missing key leaves the default.
/// Throws ConfigError if a required key is missing, and for an unknown key or a wrong type.
template <HasFields O>
O read_options(const Json& json) {
  O options;
  read_options(json, &options, kOptionsType<O>);
  return options;
}

/// The complete, typed value as Json (core/json.h): every field, defaults included.
template <HasFields O>
auto write_options(const O& options) {
  return write_options(&options, kOptionsType<O>);
}

}  // namespace rethink
