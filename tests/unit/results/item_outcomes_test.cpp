#include "results/records/item_outcomes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "core/format/safetensors.h"
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

/// Returns tensors of two sentences; `counts` has a row for each.
TensorViews translations(const std::vector<double>& nll, const std::vector<int64_t>& tokens,
                         const std::vector<int64_t>& counts, const std::vector<int64_t>& smoothed) {
  return {{"test/nll", view_of(Dtype::f64, nll)},
          {"test/tokens", view_of(Dtype::i64, tokens)},
          {"test/bleu_counts",
           {Dtype::i64,
            {2, static_cast<int64_t>(counts.size()) / 2},
            std::as_bytes(std::span(counts))}},
          {"test/bleu_smoothed", view_of(Dtype::i64, smoothed)}};
}

TEST_F(ItemOutcomesTest, AreCountsOfTranslations) {
  std::vector<int64_t> counts(20);
  std::iota(counts.begin(), counts.end(), 1);
  const std::vector<int64_t> yes = {1}, no = {0};
  const std::optional<ItemOutcomes> items = read(translations(two, tokens, counts, yes));
  ASSERT_TRUE(items);
  ASSERT_EQ(items->bleu_counts.size(), 2u);
  EXPECT_THAT(items->bleu_counts[0], ElementsAre(1, 2, 3, 4, 5, 6, 7, 8, 9, 10));
  EXPECT_THAT(items->bleu_counts[1], ElementsAre(11, 12, 13, 14, 15, 16, 17, 18, 19, 20));
  EXPECT_TRUE(items->bleu_smoothed);
  EXPECT_THAT(items->nll, ElementsAre(1.5, 0.25));
  EXPECT_FALSE(read(translations(two, tokens, counts, no))->bleu_smoothed);

  TensorViews older = translations(two, tokens, counts, yes);
  older.erase("test/bleu_counts");
  older.erase("test/bleu_smoothed");
  ASSERT_TRUE(read(older));
  EXPECT_THAT(read(older)->bleu_counts, IsEmpty());
}

TEST_F(ItemOutcomesTest, OfOtherReferencesAreOthers) {
  ItemOutcomes one{.nll = two, .tokens = tokens, .bleu_counts = {{}, {}}};
  ItemOutcomes other = one;
  one.bleu_counts[1][0] = 5;
  EXPECT_TRUE(may_be_of_the_same(one, other));
  other.bleu_counts[1][9] = 7;
  EXPECT_FALSE(may_be_of_the_same(one, other));
  other.bleu_counts.clear();
  EXPECT_TRUE(may_be_of_the_same(one, other));
  other.nll.push_back(1);
  EXPECT_FALSE(may_be_of_the_same(one, other));
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

TEST_F(ItemOutcomesTest, DoNotIncludeTagsOfWords) {
  EXPECT_FALSE(read({{"test/predicted", view_of(Dtype::i64, tokens)},
                     {"test/expected", view_of(Dtype::i64, tokens)}}));
}

TEST_F(ItemOutcomesTest, OfUnequalLengthOrOtherTypeAreRefused) {
  const auto refuses = [&](const TensorViews& tensors, const std::string& message) {
    EXPECT_THAT([&] { read(tensors); }, ThrowsMessage<ConfigError>(HasSubstr(message)));
  };
  refuses({{"test/nll", view_of(Dtype::f64, two)}, {"test/tokens", view_of(Dtype::i64, token)}},
          "test/nll has 2 items, but tokens has 1");
  refuses(
      {{"test/predicted", view_of(Dtype::f64, two)}, {"test/expected", view_of(Dtype::f64, three)}},
      "test/predicted has 2 items, but expected has 3");
  refuses({{"test/exact", view_of(Dtype::f64, two)}, {"test/f1", view_of(Dtype::f64, three)}},
          "test/exact has 2 items, but f1 has 3");
  refuses({{"test/nll", view_of(Dtype::i64, tokens)}, {"test/tokens", view_of(Dtype::i64, tokens)}},
          "test/nll: got I64 [2], expected F64 [N]");
  refuses({{"test/nll", view_of(Dtype::f64, two)}}, "no tensor 'test/tokens'");
  const std::vector<int64_t> eighteen(18), twenty(20), smoothed = {1}, of_three = {1, 1, 1};
  refuses(translations(two, tokens, eighteen, smoothed),
          "test/bleu_counts: got I64 [2,9], expected I64 [N,10]");
  refuses(translations(three, of_three, twenty, smoothed),
          "test/nll has 3 items, but bleu_counts has 2");
}

TEST_F(ItemOutcomesTest, OfAMissingFileAreAnErrorThatNamesIt) {
  EXPECT_THAT([] { read_item_outcomes("/nowhere/predictions.safetensors", "test"); },
              ThrowsMessage<MachineError>(HasSubstr("/nowhere/predictions.safetensors")));
}

}  // namespace
}  // namespace rethink
