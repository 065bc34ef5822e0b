#include "core/json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "core/error.h"
#include "core/format/file_kind.h"
#include "tests/support/temp_folder.h"
#include "tests/support/throws_code.h"

namespace rethink {
namespace {

using ::testing::HasSubstr;

TEST(Json, HasOneTextForEachValue) {
  EXPECT_EQ(canonical_json(Json::parse(
                R"({"b": [1, 1.0, -0.0, null, true], "a": {"y": "\u00e9\n", "x": 1e-5}})")),
            "{\"a\":{\"x\":1e-05,\"y\":\"\xc3\xa9\\n\"},\"b\":[1,1.0,0.0,null,true]}");
}

TEST(Json, KeepsFloatsApartFromIntegers) {
  EXPECT_EQ(shortest(3), "3.0");
  EXPECT_EQ(shortest(0.1), "0.1");
  EXPECT_EQ(shortest(1e22), "1e+22");
  EXPECT_EQ(shortest(-0.0), "0.0");
}

RC_GTEST_PROP(JsonProperty, TheShortestTextReadsBackToTheSameNumber, (double value)) {
  RC_PRE(std::isfinite(value));
  RC_ASSERT(std::strtod(shortest(value).c_str(), nullptr) == value);
}

TEST(Json, FindsByDottedPath) {
  const Json value = Json::parse(R"({"a": {"b": {"c": 3}}, "d": null})");
  ASSERT_NE(find_path(value, "a.b.c"), nullptr);
  EXPECT_EQ(*find_path(value, "a.b.c"), 3);
  EXPECT_EQ(find_path(value, "a.x"), nullptr);
  EXPECT_EQ(find_path(value, "a.b.c.d"), nullptr);
  EXPECT_EQ(find_path(value, "d.e"), nullptr);
}

TEST(Json, RefusesRepeatedKeysAndInvalidJson) {
  EXPECT_THAT([] { parse_json(R"({"a": 1, "a": 2})", "x.json"); },
              testing::ThrowsMessage<ConfigError>(HasSubstr("x.json: key 'a' is given twice")));
  EXPECT_THAT([] { parse_json("{", "x.json"); }, ThrowsCode("invalid-json"));
  EXPECT_THAT([] { parse_json(std::string("{}\0{}", 5), "x.json"); },
              testing::ThrowsMessage<ConfigError>(
                  HasSubstr("x.json: not valid JSON at byte 3: a byte that is 0")));
  EXPECT_THAT([] { parse_json("[1e999]", "x.json"); },
              testing::ThrowsMessage<ConfigError>(
                  "x.json: not valid JSON: number overflow parsing '1e999'"));
  EXPECT_THAT([] { parse_json(std::string(1'000'000, '['), "x.json"); },
              testing::ThrowsMessage<ConfigError>("x.json: nested deeper than 500 levels"));
  EXPECT_NO_THROW(parse_json(std::string(400, '[') + std::string(400, ']'), "x.json"));
  EXPECT_EQ(parse_json(R"({"a": {"b": 1}, "c": {"b": 2}})", "x")["c"]["b"], 2);
  TempFolder folder;
  EXPECT_THROW(read_json(folder / "none.json"), MachineError);
  EXPECT_THROW(read_json(folder.path()), MachineError);
}

TEST(Json, ReadsWhatTheLibraryReads) {
  for (const char* text :
       {R"({"a": [1, -2, 3.5, 1e300, 18446744073709551615, true, false, null, "\u00e4\n\"", {}, []],
            "b": {"c": [[{"d": 1}, {"d": 2}], [], [[0]]]}, "": " "})",
        "7", "-0.0", "\"x\"", "null", "[]", "{}", "[[[]], {\"a\": [{\"b\": []}]}]"}) {
    const Json found = parse_json(text, "x.json");
    EXPECT_EQ(found, Json::parse(text)) << text;
    EXPECT_EQ(canonical_json(found), canonical_json(Json::parse(text))) << text;
  }
}

TEST(Json, DetectsTooDeepNesting) {
  EXPECT_FALSE(is_nested_too_deep(std::string(500, '[') + std::string(500, ']')));
  EXPECT_TRUE(is_nested_too_deep(std::string(501, '[')));
  EXPECT_TRUE(is_nested_too_deep(R"({"a\\":)" + std::string(500, '{')));
  EXPECT_FALSE(is_nested_too_deep("[\"\\\"" + std::string(600, '[') + "\"]"));
  std::string many;
  for (int i = 0; i < 1000; ++i) many += "[]";
  EXPECT_FALSE(is_nested_too_deep(many));
}

TEST(Json, LeavesAreAllValuesExceptMapsWithKeys) {
  std::string text;
  each_leaf(
      {{"a", {{"b", 1}, {"c", Json::object()}}}, {"d", {1, 2}}, {"e", nullptr}},
      [&](const std::string& key, const Json& value) { text += key + "=" + value.dump() + " "; });
  EXPECT_EQ(text, "a.b=1 a.c={} d=[1,2] e=null ");
}

}  // namespace
}  // namespace rethink
