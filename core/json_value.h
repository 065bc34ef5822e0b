// A JSON value that files can write, copy and store without the definition of Json.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>
#include <vector>

#include "core/json_fwd.h"

namespace rethink {

/// A value written like nlohmann's literals: {{"kind", "labels"}, {"splits", {"dev", "test"}}} is
/// an object, since each element is a pair that begins with text. Every other list is an array. A
/// list moves its values out, so a named list can be used once.
class JsonValue {
 public:
  JsonValue(std::nullptr_t = nullptr);
  JsonValue(bool value);
  JsonValue(int value);
  JsonValue(int64_t value);
  JsonValue(double value);
  JsonValue(const char* value);
  JsonValue(const std::string& value);
  JsonValue(const std::vector<std::string>& values);
  JsonValue(const Json& value);
  JsonValue(std::initializer_list<JsonValue> elements);
  // Without move operations `value_` is never null. Copying the shared pointer is as cheap as a move.
  JsonValue(const JsonValue&) = default;
  JsonValue& operator=(const JsonValue&) = default;

  static JsonValue object();  // {}
  static JsonValue array();   // []

  /// Callers of this function need core/json.h.
  const Json& operator*() const { return *value_; }
  const Json* operator->() const { return value_.get(); }

 private:
  std::shared_ptr<Json> value_;  // never null, never changed while two share it
};

}  // namespace rethink
