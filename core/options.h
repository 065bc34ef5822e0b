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
#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/json.h"
#include "core/schema.h"

namespace rethink {

class Fields;

template <typename T>
concept HasFields = requires(T options, Fields& field) {
  options.fields(field);
};

/// A name that is part of a type.
template <size_t N>
struct Name {
  char text[N];
  constexpr Name(const char (&given)[N]) { std::copy_n(given, N, text); }
};

struct NoFields {
  void fields(Fields&) {}
};

/// A choice by name from a registry, with that plug-in's own options: a tagged union. In YAML and
/// JSON it is one map: {kind: local, window: 4}; `tag` is the key that holds the name, and the
/// fields of `Common` stand beside the plug-in's own.
template <Name registry, Name tag = "name", HasFields Common = NoFields>
struct Choice {
  std::string name;
  Json options = Json::object();  // the plug-in's own; what is missing has its default
  Common common{};
};

/// Constraints of the field just declared; chained after it. Ranges and choices of a list are its
/// elements'.
class FieldBuilder {
 public:
  FieldBuilder(std::vector<Field>& fields, size_t index) : field_(fields[index]) {}
  FieldBuilder& min(double value) { return values().minimum = value, *this; }
  FieldBuilder& max(double value) { return values().maximum = value, *this; }
  FieldBuilder& above(double value) { return values().exclusive_minimum = true, min(value); }
  FieldBuilder& below(double value) { return values().exclusive_maximum = true, max(value); }
  FieldBuilder& one_of(std::vector<std::string> all) {
    return values().choices = std::move(all), *this;
  }
  FieldBuilder& not_empty() { return field_.not_empty = true, *this; }
  /// A list whose order means nothing. Requires: its default is sorted.
  FieldBuilder& any_order() { return field_.any_order = true, *this; }
  FieldBuilder& required() { return field_.required = true, field_.default_value = nullptr, *this; }
  /// Of a choice: its plug-in's name does; the plug-in's options say so themselves.
  FieldBuilder& shapes() { return field_.shapes = true, *this; }
  FieldBuilder& not_hashed() { return field_.hashed = false, *this; }
  FieldBuilder& absent_means(Json value) { return field_.absent_means = std::move(value), *this; }

 private:
  Field& values() { return field_.type == FieldType::list ? field_.fields.front() : field_; }

  Field& field_;
};

/// Visits an options struct for one of three purposes.
class Fields {
 public:
  enum class Purpose { describe, read, write };
  Fields(Purpose purpose, Json json) : purpose_(purpose), json_(std::move(json)) {}

  template <typename T>
  FieldBuilder operator()(const char* name, T& value, const char* summary);

  const std::vector<Field>& described() const { return described_; }
  Json& json() { return json_; }
  /// Throws ConfigError when a key of the JSON was not a field, or a required one is missing.
  void require_all_read() const;

 private:
  Purpose purpose_;
  Json json_;
  std::vector<Field> described_;
};

template <HasFields O>
OptionsSchema describe_options() {
  Fields fields(Fields::Purpose::describe, Json::object());
  O options;
  options.fields(fields);
  OptionsSchema schema{fields.described(), {}};
  if constexpr (requires { O::rules(); }) schema.rules = O::rules();
  return schema;
}

/// Reads a typed value, such as write_options or core/check.h make; a missing key leaves the
/// default. Throws ConfigError when a required key is missing, or one is unknown or of another
/// type.
template <HasFields O>
O read_options(const Json& json) {
  Fields fields(Fields::Purpose::read, json);
  O options;
  options.fields(fields);
  fields.require_all_read();
  return options;
}

/// The complete, typed value: every field, defaults included.
template <HasFields O>
Json write_options(const O& options) {
  Fields fields(Fields::Purpose::write, Json::object());
  O copy = options;
  copy.fields(fields);
  return fields.json();
}

}  // namespace rethink

#include "core/options_fields.h"
