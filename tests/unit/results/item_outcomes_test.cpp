#include "results/item_outcomes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/safetensors.h"
#include "tests/support/temp_folder.h"

namespace rethink {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::ThrowsMessage;

template <typename T>
TensorView view_of(Dtype dtype, const std::vector<T>& values) {
  return {dtype, {static_cast<int64_t>(values.size())}, std::as_bytes(std::span(values))};
}

class ItemOutcomesTest : public testing::Test {
 protected:
  std::optional<ItemOutcomes> read(const TensorViews& tensors, const std::string& split = "test") {
    const std::filesystem::path file = folder_ / "predictions.safetensors";
    write_safetensors(file, tensors, {});
    return read_item_outcomes(file, split);
  }

  const TempFolder folder_;
  const std::vector<double> two = {1.5, 0.25}, ones = {1, 0}, three = {1, 0, 1};
  const std::vector<int64_t> tokens = {3, 1}, token = {3};
};

TEST_F(ItemOutcomesTest, AreLossesOfTheirSplit) {
  const TensorViews tensors = {{"test/nll", view_of(Dtype::f64, two)},
                               {"test/tokens", view_of(Dtype::i64, tokens)}};
  const std::optional<ItemOutcomes> items = read(tensors);
  ASSERT_TRUE(items);
  EXPECT_THAT(items->nll, ElementsAre(1.5, 0.25));
  EXPECT_THAT(items->tokens, ElementsAre(3, 1));
  EXPECT_EQ(items->size(), 2u);
  EXPECT_FALSE(read(tensors, "dev"));
}

TEST_F(ItemOutcomesTest, AreLabels) {
  const std::vector<float> logits = {0.1F, 0.2F};
  const std::optional<ItemOutcomes> items = read({{"test/predicted", view_of(Dtype::f64, two)},
                                                  {"test/expected", view_of(Dtype::f64, ones)},
                                                  {"test/logits", view_of(Dtype::f32, logits)}});
  ASSERT_TRUE(items);
  EXPECT_THAT(items->predicted, ElementsAre(1.5, 0.25));
  EXPECT_THAT(items->expected, ElementsAre(1, 0));
  EXPECT_THAT(items->nll, IsEmpty());
  EXPECT_EQ(items->size(), 2u);
}

TEST_F(ItemOutcomesTest, AreScoresOfAnswers) {
  const std::optional<ItemOutcomes> items = read({{"test/exact", view_of(Dtype::f64, ones)},
                                                  {"test/f1", view_of(Dtype::f64, two)},
                                                  {"test/begin", view_of(Dtype::i64, tokens)}});
  ASSERT_TRUE(items);
  EXPECT_THAT(items->scores.at("exact"), ElementsAre(1, 0));
  EXPECT_THAT(items->scores.at("f1"), ElementsAre(1.5, 0.25));
  EXPECT_EQ(items->size(), 2u);
}

TEST_F(ItemOutcomesTest, AreNoTagsOfWords) {
  EXPECT_FALSE(read({{"test/predicted", view_of(Dtype::i64, tokens)},
                     {"test/expected", view_of(Dtype::i64, tokens)}}));
}

TEST_F(ItemOutcomesTest, OfUnequalLengthOrOtherTypeAreRefused) {
  const auto refuses = [&](const TensorViews& tensors, const std::string& message) {
    EXPECT_THAT([&] { read(tensors); }, ThrowsMessage<ConfigError>(HasSubstr(message)));
  };
  refuses({{"test/nll", view_of(Dtype::f64, two)}, {"test/tokens", view_of(Dtype::i64, token)}},
          "test/nll is of 2 items, but tokens of 1");
  refuses(
      {{"test/predicted", view_of(Dtype::f64, two)}, {"test/expected", view_of(Dtype::f64, three)}},
      "test/predicted is of 2 items, but expected of 3");
  refuses({{"test/exact", view_of(Dtype::f64, two)}, {"test/f1", view_of(Dtype::f64, three)}},
          "test/exact is of 2 items, but f1 of 3");
  refuses({{"test/nll", view_of(Dtype::i64, tokens)}, {"test/tokens", view_of(Dtype::i64, tokens)}},
          "test/nll: got I64 with 1 dimensions, expected F64");
  refuses({{"test/nll", view_of(Dtype::f64, two)}}, "no tensor 'test/tokens'");
}

TEST_F(ItemOutcomesTest, OfAMissingFileAreAnErrorThatNamesIt) {
  EXPECT_THAT([] { read_item_outcomes("/nowhere/predictions.safetensors", "test"); },
              ThrowsMessage<MachineError>(HasSubstr("/nowhere/predictions.safetensors")));
}

}  // namespace
}  // namespace rethink
