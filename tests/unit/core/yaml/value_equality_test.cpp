#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/yaml/written_values.h"

namespace rethink {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr ValueType kNumber = ValueType::number, kText = ValueType::text, kLabel = ValueType::label,
                    kBoolean = ValueType::boolean, kNull = ValueType::null;

struct Case {
  RecordedValue recorded;
  std::string written;  // typed, with its quotes
  bool same;
};

TEST(ValueEqualityTest, NumbersAreNumbersAndQuotesMakeText) {
  const std::vector<Case> cases = {
      {{"1", kNumber}, "1", true},
      {{"1", kNumber}, "1.0", true},
      {{"1.0", kNumber}, "1e0", true},
      {{"0.0001", kNumber}, "1e-4", true},
      {{"1", kNumber}, "\"1\"", false},
      {{"1", kNumber}, "1layer", false},
      {{"0", kNumber}, "-x", false},
      {{"0", kNumber}, "+", false},
      {{"16", kNumber}, "0x10", false},
      {{"1", kNumber}, "01", false},
      {{"9007199254740993", kNumber}, "9007199254740993", true},
      {{"9007199254740993", kNumber}, "9007199254740992", false},
      {{"1", kText}, "1", true},
      {{"1", kText}, "'1'", true},
      {{"1", kText}, "1.0", false},
      {{"1layer", kText}, "1", false},
      {{"1layer", kText}, "1layer", true},
      {{"1", kLabel}, "1", true},
      {{"1", kLabel}, "1.0", true},
      {{"1", kLabel}, "\"1\"", true},
      {{"1", kLabel}, "\"1.0\"", false},
      {{"1layer", kLabel}, "1", false},
      {{"1M", kLabel}, "1", false},
      {{"1:30", kLabel}, "1", false},
      {{"1 (Transformer)", kLabel}, "1", false},
      {{"-x", kLabel}, "0", false},
      {{".nan", kLabel}, "0", false},
      {{"nan", kLabel}, "nan", true},
      {{"inf", kLabel}, "infinity", false},
      {{"1e999", kLabel}, "2e999", false},
      {{"true", kBoolean}, "true", true},
      {{"true", kBoolean}, "'true'", false},
      {{"true", kBoolean}, "1", false},
      {{"null", kNull}, "null", true},
      {{"null", kNull}, "'null'", false},
      {{"null", kNull}, "0", false},
      {{"Star", kText}, "star", false},
  };
  for (const Case& one : cases) {
    EXPECT_EQ(same_value(one.recorded, written_value(one.written)), one.same)
        << one.recorded.text << " of type " << static_cast<int>(one.recorded.type) << ", "
        << one.written;
  }
}

TEST(ValueEqualityTest, OnlyNumbersAreLessThanNumbers) {
  const auto is_less = [](const RecordedValue& recorded, const std::string& written) {
    return order_of(recorded, written_value(written)) < 0;
  };
  EXPECT_TRUE(is_less({"9", kNumber}, "10"));
  EXPECT_TRUE(is_less({"9", kLabel}, "10"));
  EXPECT_FALSE(is_less({"10", kLabel}, "9"));
  EXPECT_TRUE(is_less({"10", kLabel}, "'9'"));
  EXPECT_FALSE(is_less({"10", kNumber}, "'9'"));
  EXPECT_FALSE(is_less({"-x", kLabel}, "1"));
  EXPECT_FALSE(is_less({"9", kText}, "10"));
  EXPECT_FALSE(is_less({"9", kNumber}, "abc"));
  EXPECT_FALSE(is_less({"9", kLabel}, "abc"));
  EXPECT_TRUE(is_less({"2026-11-25", kLabel}, "2026-12-01"));
  EXPECT_FALSE(is_less({"true", kBoolean}, "zebra"));
}

TEST(ValueIndexTest, FindsWhatMayBeEqualByNumberOrByText) {
  ValueIndex index;
  const std::vector<std::string> texts = {"1", "1.0", "x", "1e0", "X", "x", "", "2"};
  for (size_t i = 0; i < texts.size(); ++i) index.add(texts[i], i);
  EXPECT_THAT(index.like("1.00"), ElementsAre(0, 1, 3));
  EXPECT_THAT(index.like("x"), ElementsAre(2, 5));
  EXPECT_THAT(index.like(""), ElementsAre(6));
  EXPECT_THAT(index.like("3"), IsEmpty());
  EXPECT_THAT(index.like("y"), IsEmpty());
  // No equal value is left out.
  for (size_t i = 0; i < texts.size(); ++i) {
    for (const std::string& text : texts) {
      if (!same_value({texts[i], ValueType::label}, {text, false})) continue;
      EXPECT_THAT(index.like(text), Contains(i));
    }
  }
}

TEST(ValueEqualityTest, ALabelHasTheTypeOfTheOptionThatItSets) {
  EXPECT_EQ(typed_label("1", std::nullopt).type, kLabel);
  EXPECT_EQ(typed_label("1", RecordedValue{"1", kText}).type, kText);
  EXPECT_EQ(typed_label("1e-4", RecordedValue{"0.0001", kNumber}).type, kNumber);
  EXPECT_EQ(typed_label("true", RecordedValue{"true", kBoolean}).type, kBoolean);
  EXPECT_EQ(typed_label("1k", RecordedValue{"1000", kNumber}).type, kLabel)
      << "a case that is named as an option is";
}

TEST(DecimalTest, AcceptsTheNumbersThatOptionsAccept) {
  for (const char* number : {"0", "-1", "1.5", ".5", "5.", "1e-4", "-2.5E+3"})
    EXPECT_TRUE(is_decimal(number)) << number;
  for (const char* word : {"", "-", ".", "+1", "01", "0x10", "1_000", "1e", "nan", ".inf", "1 "})
    EXPECT_FALSE(is_decimal(word)) << word;
}

}  // namespace
}  // namespace rethink
