#include "core/format/json_shape.h"

#include <gtest/gtest.h>

#include "core/json.h"

namespace rethink {
namespace {

std::string damage(const JsonShape& shape, const char* text,
                   UnknownMembers unknown = UnknownMembers::refused) {
  return shape(Json::parse(text), unknown);
}

TEST(JsonShape, SaysWhereAValueIsNotWhatItShallBe) {
  const JsonShape shape = object_with(
      {{"outcome", one_of_texts({"done", "diverged"})},
       {"files", list_of(object_with({{"sha256", hex_digits(4)}, {"bytes", integer_from(0)}}))},
       {"seed", null_or(any_integer()), false},
       {"metrics", map_of(number_or_not_finite()), false}});
  EXPECT_EQ(damage(shape, R"({"outcome": "done", "files": []})"), "");
  EXPECT_EQ(damage(shape, R"({"outcome": "done", "files": [], "seed": null})"), "");
  EXPECT_EQ(damage(shape, R"({"outcome": "dnoe", "files": []})"),
            "outcome: got \"dnoe\", expected one of done, diverged");
  EXPECT_EQ(damage(shape, R"({"outcome": "done"})"), "files: is missing");
  EXPECT_EQ(damage(shape, R"({"outcome": "done", "files": [{"sha256": "00aZ", "bytes": 1}]})"),
            "files.0.sha256: got \"00aZ\", expected 4 hexadecimal digits");
  EXPECT_EQ(damage(shape, R"({"outcome": "done", "files": [{"sha256": "00aa", "bytes": -1}]})"),
            "files.0.bytes: got -1, expected an integer from 0");
  EXPECT_EQ(damage(shape, R"({"outcome": "done", "files": [], "metrics": {"a": "nan", "b": "x"}})"),
            "metrics.b: got \"x\", expected a number, \"nan\", \"inf\" or \"-inf\"");
  EXPECT_EQ(damage(shape, "[]"), "got [], expected an object");
}

TEST(JsonShape, RefusesUnknownMembersAtEveryDepthUnlessANewerVersionMayHaveWrittenThem) {
  const JsonShape shape = object_with({{"list", list_of(object_with({{"name", any_text()}}))}});
  const char* text = R"({"list": [{"name": "a", "nmae": "b"}]})";
  EXPECT_EQ(damage(shape, text), "list.0.nmae: is not known here; did you mean 'name'?");
  EXPECT_EQ(damage(shape, text, UnknownMembers::ignored), "");
}

TEST(JsonShape, IntegersHave64BitsWithASign) {
  EXPECT_EQ(damage(any_integer(), "-9223372036854775808"), "");
  EXPECT_NE(damage(any_integer(), "9223372036854775808"), "");
  EXPECT_NE(damage(any_integer(), "1.0"), "");
  EXPECT_NE(damage(integer_from(1), "0"), "");
  EXPECT_NE(damage(integer_from(0), "18446744073709551615"), "");
}

}  // namespace
}  // namespace rethink
