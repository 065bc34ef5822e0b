// Options that people write as a number with a unit: durations ("30s", "12h") and sizes ("9GiB").
#pragma once

#include <string>

#include "core/config/schema.h"
#include "core/json.h"

namespace rethink {

extern const TextForm kDurationForm;  // "1.5s", "15min", "12h", "2d"; in seconds, up to 1e9
extern const TextForm kSizeForm;      // "auto" or "9GiB"; in bytes, up to 1e18; 0 for auto

/// A number with its unit, as people write it.
template <const TextForm& form>
struct WithUnit {
  std::string text;
  double value() const { return form.value_in(text).value_or(0); }
};
using Duration = WithUnit<kDurationForm>;  // [s]
using Size = WithUnit<kSizeForm>;          // [bytes]

template <const TextForm& form>
struct FieldTraits<WithUnit<form>> {
  static void describe(Field& field, const WithUnit<form>&) { field.form = &form; }
  static void write(Json& json, const WithUnit<form>& given) { json = given.text; }
  static void read(const Json& json, const std::string&, WithUnit<form>& given) {
    given.text = json;
  }
};

}  // namespace rethink
