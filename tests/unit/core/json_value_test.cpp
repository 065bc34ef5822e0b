// Compares JsonValue's literals with those of the library that it replaces in headers.
#include "core/json_value.h"

#include <gtest/gtest.h>

#include "core/json.h"

namespace rethink {
namespace {

TEST(JsonValue, KeepsTheTypeOfAPlainValue) {
  EXPECT_TRUE(JsonValue()->is_null());
  EXPECT_TRUE(JsonValue(nullptr)->is_null());
  EXPECT_EQ(*JsonValue(true), Json(true));
  EXPECT_TRUE(JsonValue(1)->is_number_integer());
  EXPECT_EQ(JsonValue(int64_t{1} << 40)->get<int64_t>(), int64_t{1} << 40);
  EXPECT_TRUE(JsonValue(1.0)->is_number_float());
  EXPECT_EQ(*JsonValue("text"), Json("text"));
  EXPECT_EQ(*JsonValue(std::string("text")), Json("text"));
}

TEST(JsonValue, TellsObjectsFromArraysAsTheLibraryDoes) {
  EXPECT_EQ(*JsonValue({{"kind", "labels"}, {"direction", "max"}}),
            Json({{"kind", "labels"}, {"direction", "max"}}));
  EXPECT_EQ(*JsonValue({{"exceptions", {{"cross", "a reason"}}}}),
            Json({{"exceptions", {{"cross", "a reason"}}}}));
  EXPECT_EQ(*JsonValue({{"splits", {"train", "dev", "test"}}, {"crops", true}}),
            Json({{"splits", {"train", "dev", "test"}}, {"crops", true}}));
  EXPECT_EQ(*JsonValue({{"texts", {"a"}}}), Json({{"texts", {"a"}}}));
  EXPECT_EQ(*JsonValue({"a", "b"}), Json({"a", "b"}));
  EXPECT_EQ(*JsonValue({{1, 2}, {3, 4}}), Json({{1, 2}, {3, 4}}));
  EXPECT_EQ(*JsonValue({{"a", 1}, {"b"}}), Json({{"a", 1}, {"b"}}));
  EXPECT_EQ(*JsonValue::object(), Json::object());
  EXPECT_EQ(*JsonValue::array(), Json::array());
}

TEST(JsonValue, TakesListsOfTextAndJson) {
  const std::vector<std::string> files = {"a.txt", "b.txt"};
  EXPECT_EQ(*JsonValue({{"files", files}}), Json({{"files", files}}));
  EXPECT_EQ(*JsonValue(std::vector<std::string>()), Json::array());
  const Json inner = {{"a", 1}};
  EXPECT_EQ(*JsonValue({{"inner", inner}}), Json({{"inner", inner}}));
}

TEST(JsonValue, DoesNotChangeASharedValue) {
  const JsonValue shared = {{"a", 1}};
  const JsonValue outer = {{"first", shared}, {"second", shared}};
  EXPECT_EQ(*shared, Json({{"a", 1}}));
  EXPECT_EQ(*outer, Json({{"first", {{"a", 1}}}, {"second", {{"a", 1}}}}));
}

}  // namespace
}  // namespace rethink
