#include "core/json_value.h"

#include <algorithm>

#include "core/json.h"

namespace rethink {
namespace {

bool is_pair(const JsonValue& element) {
  return element->is_array() && element->size() == 2 && element->front().is_string();
}

// The elements of an initializer list are const, but most are temporaries that only the list owns.
// Moving their values avoids d copies of a literal of depth d.
Json taken(const std::shared_ptr<Json>& value) {
  return value.use_count() == 1 ? std::move(*value) : *value;
}

}  // namespace

JsonValue::JsonValue(const Json& value) : value_(std::make_shared<Json>(value)) {}
JsonValue::JsonValue(std::nullptr_t) : value_(std::make_shared<Json>()) {}
JsonValue::JsonValue(bool value) : value_(std::make_shared<Json>(value)) {}
JsonValue::JsonValue(int value) : value_(std::make_shared<Json>(value)) {}
JsonValue::JsonValue(int64_t value) : value_(std::make_shared<Json>(value)) {}
JsonValue::JsonValue(double value) : value_(std::make_shared<Json>(value)) {}
JsonValue::JsonValue(const char* value) : value_(std::make_shared<Json>(value)) {}
JsonValue::JsonValue(const std::string& value) : value_(std::make_shared<Json>(value)) {}
JsonValue::JsonValue(const std::vector<std::string>& values)
    : value_(std::make_shared<Json>(values)) {}

JsonValue::JsonValue(std::initializer_list<JsonValue> elements) {
  const bool is_object = std::all_of(elements.begin(), elements.end(), is_pair);
  Json value = is_object ? Json::object() : Json::array();
  for (const JsonValue& element : elements) {
    Json taken_element = taken(element.value_);
    if (is_object) {
      value.emplace(std::move(taken_element[0].get_ref<std::string&>()),
                    std::move(taken_element[1]));
    } else {
      value.push_back(std::move(taken_element));
    }
  }
  value_ = std::make_shared<Json>(std::move(value));
}

JsonValue JsonValue::object() {
  return JsonValue(Json::object());
}
JsonValue JsonValue::array() {
  return JsonValue(Json::array());
}

}  // namespace rethink
