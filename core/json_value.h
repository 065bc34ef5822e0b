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

/// Written as nlohmann's literals are: {{"kind", "labels"}, {"splits", {"dev", "test"}}} is an
/// object, because each element is a pair that begins with text; every other list is an array. A
/// list gives its values away: one with a name can be used once.
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
  // None is moved from, so that none is null. A copy costs as little.
  JsonValue(const JsonValue&) = default;
  JsonValue& operator=(const JsonValue&) = default;

  static JsonValue object();  // {}
  static JsonValue array();   // []

  /// Needs core/json.h where the result is used.
  const Json& operator*() const { return *value_; }
  const Json* operator->() const { return value_.get(); }

 private:
  std::shared_ptr<Json> value_;  // never null, never changed while two share it
};

}  // namespace rethink
