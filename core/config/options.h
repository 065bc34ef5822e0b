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

#include <string>
#include <vector>

#include "core/config/option_fields.h"
#include "core/error.h"

namespace rethink {

struct OptionsSchema;  // core/config/schema.h

/// Constraints of the field just declared; chained after it. Ranges and choices of a list are those
/// of its elements.
class FieldBuilder {
 public:
  explicit FieldBuilder(Field& field) : field_(field) {}
  FieldBuilder& min(double value);
  FieldBuilder& max(double value);
  FieldBuilder& above(double value);
  FieldBuilder& below(double value);
  FieldBuilder& one_of(std::vector<std::string> all);
  FieldBuilder& not_empty();
  /// A list whose order means nothing. Requires: its default is sorted.
  FieldBuilder& any_order();
  FieldBuilder& required();
  /// The value decides which weights a model has. Of a choice only the plug-in's name decides it;
  /// the plug-in's own options have this mark themselves.
  FieldBuilder& shapes();
  /// A sweep may give the word `seed` instead of a number: the seed of each trial. Requires: an
  /// integer. A program never reads the word; a plan resolves it (core/config/seed_options.h).
  FieldBuilder& may_follow_seed();
  FieldBuilder& not_hashed();
  FieldBuilder& absent_means(const JsonValue& value);

 private:
  Field& field_;
};

/// Visits an options struct for one of three purposes.
class Fields {
 public:
  enum class Purpose { describe, read, write };
  /// Reads from `given` or writes to `written`, which may be null for another purpose; what there
  /// is to know of each field goes to `described`.
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
  Json* writable(Field& field) const;  // the default of the description, the key of the value

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

/// Reads a typed value, such as write_options or core/config/check.h make; a missing key leaves the
/// default. Throws ConfigError when a required key is missing, or one is unknown or of another
/// type.
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
