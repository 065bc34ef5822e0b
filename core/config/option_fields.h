// How the C++ types of options are described in the schema, read from JSON and written to it. None
// of it needs the definition of Json or of Field, so that a plug-in compiles without them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/config/options_type.h"
#include "core/json_fwd.h"

namespace rethink {

struct Field;  // core/config/schema.h

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

}  // namespace rethink
