// How the plain C++ types of options stand in the schema and in JSON: truth values, numbers, text.
#pragma once

#include <cstdint>
#include <string>

#include "core/json.h"
#include "core/schema.h"

namespace rethink {

/// Throws ConfigError: "NAME: got X, expected Y".
[[noreturn]] void wrong_type(const std::string& name, const Json& got, const char* expected);

template <typename T>
struct FieldTraits;  // describe(field, value), to_json(value), read(json, name, value)

template <>
struct FieldTraits<bool> {
  static void describe(Field& field, bool) { field.type = FieldType::boolean; }
  static Json to_json(bool value) { return value; }
  static void read(const Json& json, const std::string& name, bool& value) {
    if (!json.is_boolean()) wrong_type(name, json, "true or false");
    value = json.get<bool>();
  }
};

template <>
struct FieldTraits<int64_t> {
  static void describe(Field& field, int64_t) { field.type = FieldType::integer; }
  static Json to_json(int64_t value) { return value; }
  static void read(const Json& json, const std::string& name, int64_t& value) {
    if (!json.is_number_integer()) wrong_type(name, json, "an integer");
    value = json.get<int64_t>();
  }
};

template <>
struct FieldTraits<double> {
  static void describe(Field& field, double) { field.type = FieldType::real; }
  static Json to_json(double value) { return value; }
  static void read(const Json& json, const std::string& name, double& value) {
    if (!json.is_number()) wrong_type(name, json, "a number");
    value = json.get<double>();
  }
};

template <>
struct FieldTraits<std::string> {
  static void describe(Field& field, const std::string&) { field.type = FieldType::text; }
  static Json to_json(const std::string& value) { return value; }
  static void read(const Json& json, const std::string& name, std::string& value) {
    if (!json.is_string()) wrong_type(name, json, "text");
    value = json.get<std::string>();
  }
};

}  // namespace rethink
