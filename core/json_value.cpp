#include "core/json_value.h"

#include <algorithm>

#include "core/json.h"

namespace rethink {
namespace {

bool is_pair(const JsonValue& element) {
  return element->is_array() && element->size() == 2 && element->front().is_string();
}

}  // namespace

JsonValue::JsonValue(const Json& value) : value_(std::make_shared<const Json>(value)) {}
JsonValue::JsonValue(std::nullptr_t) : JsonValue(Json()) {}
JsonValue::JsonValue(bool value) : JsonValue(Json(value)) {}
JsonValue::JsonValue(int value) : JsonValue(Json(value)) {}
JsonValue::JsonValue(int64_t value) : JsonValue(Json(value)) {}
JsonValue::JsonValue(double value) : JsonValue(Json(value)) {}
JsonValue::JsonValue(const char* value) : JsonValue(Json(value)) {}
JsonValue::JsonValue(const std::string& value) : JsonValue(Json(value)) {}
JsonValue::JsonValue(const std::vector<std::string>& values) : JsonValue(Json(values)) {}

JsonValue::JsonValue(std::initializer_list<JsonValue> elements) {
  const bool is_object = std::all_of(elements.begin(), elements.end(), is_pair);
  Json value = is_object ? Json::object() : Json::array();
  for (const JsonValue& element : elements) {
    if (is_object) {
      value.emplace(element->at(0).get<std::string>(), element->at(1));
    } else {
      value.push_back(*element);
    }
  }
  value_ = std::make_shared<const Json>(std::move(value));
}

JsonValue JsonValue::object() {
  return JsonValue(Json::object());
}
JsonValue JsonValue::array() {
  return JsonValue(Json::array());
}

}  // namespace rethink
