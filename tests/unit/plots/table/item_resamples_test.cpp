#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "datasets/scores/bleu.h"
#include "datasets/scores/labelled_metrics.h"
#include "plots/table/cells/item_metric.h"
#include "results/statistics/statistics.h"

namespace rethink::test {
namespace {

using Labels = std::span<const double>;

ItemMetric labelled(const std::string& name) {
  return {.of_labels = find_labelled_metric(name).value};
}

/// Returns 400 items of 1 to 4 tokens.
ItemOutcomes some_losses() {
  ItemOutcomes items;
  for (int i = 0; i < 400; ++i) {
    items.tokens.push_back(1 + i % 4);
    items.nll.push_back(static_cast<double>(1 + i % 4) * (1 + 0.1 * (i % 7)));
  }
  return items;
}

/// Returns 400 examples of two classes; every `wrong`-th has the other class as its answer.
ItemOutcomes some_classes(int wrong) {
  ItemOutcomes items;
  for (int i = 0; i < 400; ++i) {
    const int label = i % 3 == 0 ? 1 : 0;
    items.expected.push_back(label);
    items.predicted.push_back(i % wrong == 0 ? 1 - label : label);
  }
  return items;
}

/// How often each class was predicted for each class.
struct Confusion {
  double both = 0, only_predicted = 0, only_expected = 0, neither = 0;

  Confusion(Labels predicted, Labels expected) {
    for (size_t i = 0; i < predicted.size(); ++i) {
      const bool is_predicted = predicted[i] == 1, is_expected = expected[i] == 1;
      both += is_predicted && is_expected;
      only_predicted += is_predicted && !is_expected;
      only_expected += !is_predicted && is_expected;
      neither += !is_predicted && !is_expected;
    }
  }
};

Resampled resampled(const ItemOutcomes& items, const ItemMetric& metric,
                    size_t resamples = kItemResamples) {
  return resample_items({&items}, metric, resamples).front();
}

TEST(ItemResamples, TakeThePerplexityOfAllItemsAsTheMetricDoes) {
  const ItemOutcomes items{.nll = {1.0, 6.0, 0.0}, .tokens = {1, 3, 0}};
  EXPECT_DOUBLE_EQ(metric_on_all(items, {false, "exp"}), std::exp(7.0 / 4));
  EXPECT_DOUBLE_EQ(metric_on_all(items, {true, "exp"}), std::exp((1.0 + 2.0) / 2));
  EXPECT_DOUBLE_EQ(metric_on_all(items, {false, "bits"}), 7.0 / 4 / std::log(2.0));
  EXPECT_DOUBLE_EQ(metric_on_all(items, {false, "nats"}), 7.0 / 4);
}

TEST(ItemResamples, AreEqualOfEqualNumbersOfItems) {
  const Resampled one = resampled(some_losses(), {false, "exp"});
  EXPECT_EQ(one, resampled(some_losses(), {false, "exp"}));
  EXPECT_EQ(one.size(), kItemResamples);
}

TEST(ItemResamples, AreAsManyAsTheCorrectionNeeds) {
  EXPECT_EQ(resamples_for(1, 0.05), kItemResamples);
  for (const size_t comparisons : {2, 3, 22, 200}) {
    const auto resamples = static_cast<double>(resamples_for(comparisons, 0.05));
    const double threshold = 0.05 / static_cast<double>(comparisons);
    EXPECT_GE(resamples * threshold / 2, 25) << comparisons;
  }
  const std::vector<double> few = resampled(some_losses(), {false, "exp"}, 10),
                            more = resampled(some_losses(), {false, "exp"}, 20);
  EXPECT_TRUE(std::equal(few.begin(), few.end(), more.begin()));
}

/// Many resamples are shared among threads, few are not; each is the same as alone.
TEST(ItemResamples, AreTheSameByThreads) {
  const std::vector<double> few = resampled(some_losses(), {false, "exp"}, 300),
                            many = resampled(some_losses(), {false, "exp"}, 7001);
  ASSERT_EQ(many.size(), 7001u);
  EXPECT_TRUE(std::equal(few.begin(), few.end(), many.begin()));
  EXPECT_GT(std::set<double>(many.begin() + 300, many.end()).size(), 6000u);
}

TEST(ItemResamples, OfTrialsTogetherAreThoseOfEach) {
  ItemOutcomes harder = some_losses();
  for (double& nll : harder.nll) nll += 0.5;
  const ItemOutcomes easier = some_losses();
  const auto both = resample_items({&easier, &harder}, {false, "exp"}, 20);
  EXPECT_EQ(both[0], resampled(easier, {false, "exp"}, 20));
  EXPECT_EQ(both[1], resampled(harder, {false, "exp"}, 20));
  EXPECT_NE(both[0], both[1]);
}

TEST(ItemResamples, NeedWhatTheMetricIsMadeOf) {
  const ItemOutcomes answers{.scores = {{"exact", {1, 0}}, {"f1", {1, 0.5}}}};
  const ItemMetric bleu{.of_counts = bleu_of_counts};
  ItemOutcomes translations = some_losses();
  EXPECT_FALSE(follows_from(translations, bleu));
  translations.bleu_counts.resize(translations.size());
  EXPECT_TRUE(follows_from(translations, bleu));
  EXPECT_TRUE(follows_from(translations, {false, "exp"}));
  ItemMetric f1 = labelled("f1");
  f1.own_score = "f1";
  EXPECT_TRUE(follows_from(some_losses(), {false, "exp"}));
  EXPECT_TRUE(follows_from(some_classes(5), f1));
  EXPECT_TRUE(follows_from(answers, f1));
  EXPECT_FALSE(follows_from(some_losses(), f1));
  EXPECT_FALSE(follows_from(some_classes(5), {false, "exp"}));
  EXPECT_FALSE(follows_from(answers, labelled("accuracy")));
}

/// The deviation of 2,000 draws is within 1.6 % of the true one, in two of three cases.
TEST(ItemResamples, OfAnAccuracyVaryAsABinomialDoes) {
  const Resampled accuracy = resampled(some_classes(5), labelled("accuracy"));
  EXPECT_DOUBLE_EQ(metric_on_all(some_classes(5), labelled("accuracy")), 0.8);
  const double expected = std::sqrt(0.8 * 0.2 / 400);
  EXPECT_NEAR(*standard_deviation(accuracy), expected, 0.06 * expected);
  EXPECT_NEAR(mean(accuracy), 0.8, 4 * expected / std::sqrt(static_cast<double>(kItemResamples)));
}

/// b examples are right only in one trial, c only in the other: McNemar's variance.
TEST(ItemResamples, OfTwoAccuraciesVaryTogether) {
  const std::vector<double> some = resampled(some_classes(5), labelled("accuracy"));
  const std::vector<double> more = resampled(some_classes(10), labelled("accuracy"));
  std::vector<double> apart;
  for (size_t i = 0; i < some.size(); ++i) apart.push_back(more[i] - some[i]);
  const double b = 40.0 / 400;  // multiples of 5 but not of 10; c is 0
  const double expected = std::sqrt((b - b * b) / 400);
  EXPECT_NEAR(mean(apart), b, 4 * expected / std::sqrt(static_cast<double>(kItemResamples)));
  EXPECT_NEAR(*standard_deviation(apart), expected, 0.06 * expected);
}

TEST(ItemResamples, GiveF1AndMatthewsCorrelationOfTheDrawnItems) {
  const LabelMetric f1 = [](Labels predicted, Labels expected) {
    const Confusion c(predicted, expected);
    return 2 * c.both / (2 * c.both + c.only_predicted + c.only_expected);
  };
  const LabelMetric mcc = [](Labels predicted, Labels expected) {
    const Confusion c(predicted, expected);
    return (c.both * c.neither - c.only_predicted * c.only_expected) /
           std::sqrt((c.both + c.only_predicted) * (c.both + c.only_expected) *
                     (c.neither + c.only_predicted) * (c.neither + c.only_expected));
  };
  const ItemOutcomes items = some_classes(5);
  for (const auto& [name, by_hand] : {std::pair{"f1", f1}, std::pair{"mcc", mcc}}) {
    const Resampled found = resampled(items, labelled(name));
    const Resampled expected = resampled(items, {.of_labels = by_hand});
    EXPECT_NEAR(metric_on_all(items, labelled(name)), metric_on_all(items, {.of_labels = by_hand}),
                1e-12)
        << name;
    EXPECT_THAT(found, testing::Pointwise(testing::DoubleNear(1e-12), expected)) << name;
    EXPECT_GT(std::set<double>(found.begin(), found.end()).size(), 100u);
  }
}

/// One in nine resamples has only one expected score.
TEST(ItemResamples, WithoutACorrelationCountAsZero) {
  const ItemOutcomes items{.predicted = {0.1, 0.4, 0.9}, .expected = {1, 2, 3}};
  for (const char* name : {"pearson", "spearman"}) {
    const Resampled found = resampled(items, labelled(name));
    const auto none = std::count(found.begin(), found.end(), 0.0);
    EXPECT_NEAR(static_cast<double>(none) / static_cast<double>(kItemResamples), 1.0 / 9, 0.03)
        << name;
    EXPECT_TRUE(
        std::none_of(found.begin(), found.end(), [](double value) { return std::isnan(value); }));
  }
}

/// Pairs of a translation and its reference. Two of six have four right words in a row.
const std::vector<std::pair<std::string, std::string>> kTranslations = {
    {"A man in a blue shirt is standing on a ladder, cleaning a window.",
     "A man in a blue shirt is standing on a ladder cleaning a window."},
    {"Two men are at the stove preparing food.", "Two men are at the stove, cooking."},
    {"A little girl climbs into a house.", "A young girl is climbing in a wooden playhouse."},
    {"Someone stands by a road.", "A man is waiting at the side of a street."},
    {"Dogs play in snow", "Three black dogs run through the white snow."},
    {"The child sleeps.", "A small child is asleep on the sofa."}};

ItemOutcomes counted(const BleuRules& rules) {
  ItemOutcomes items;
  for (const auto& [found, reference] : kTranslations) {
    items.nll.push_back(1);
    items.tokens.push_back(1);
    items.bleu_counts.push_back(bleu_counts(found, reference, rules));
  }
  items.bleu_smoothed = rules.smoothing != BleuSmoothing::none;
  return items;
}

/// Returns the positions that resamples of so many items draw.
std::vector<std::vector<size_t>> draws_of(size_t items, size_t resamples) {
  ItemOutcomes numbered;
  for (size_t i = 0; i < items; ++i) numbered.predicted.push_back(static_cast<double>(i));
  numbered.expected = numbered.predicted;
  std::vector<std::vector<size_t>> draws;
  const ItemMetric noting{.of_labels = [&](Labels predicted, Labels) {
    draws.emplace_back(predicted.begin(), predicted.end());
    return 0.0;
  }};
  resampled(numbered, noting, resamples);
  return draws;
}

TEST(ItemResamples, GiveBleuOfTheDrawnSentences) {
  const size_t resamples = 300;
  const auto draws = draws_of(kTranslations.size(), resamples);
  ASSERT_EQ(draws.size(), resamples);
  for (const BleuRules& rules : {kSacreBleu, kMultiBleu}) {
    const bool is_smoothed = rules.smoothing != BleuSmoothing::none;
    const auto score_of = [&](const std::vector<size_t>& places) {
      BleuScore score(rules);
      for (const size_t place : places)
        score.add(kTranslations[place].first, kTranslations[place].second);
      return score.value();
    };
    const Resampled bleu = resampled(counted(rules), {.of_counts = bleu_of_counts}, resamples);
    EXPECT_DOUBLE_EQ(metric_on_all(counted(rules), {.of_counts = bleu_of_counts}),
                     score_of({0, 1, 2, 3, 4, 5}));
    for (size_t i = 0; i < resamples; ++i)
      EXPECT_DOUBLE_EQ(bleu[i], score_of(draws[i])) << is_smoothed << " " << i;
    const auto zeros = std::count(bleu.begin(), bleu.end(), 0.0);
    EXPECT_EQ(zeros > 0, !is_smoothed) << zeros;
    EXPECT_GT(std::set<double>(bleu.begin(), bleu.end()).size(), 50u);
  }
}

TEST(ItemResamples, OfAnswersAreMeansOfTheirScores) {
  ItemOutcomes items;
  for (int i = 0; i < 300; ++i) {
    items.scores["exact"].push_back(i % 2);
    items.scores["f1"].push_back(0.5 * (i % 3));
  }
  const Resampled f1 = resampled(items, {.own_score = "f1"});
  EXPECT_DOUBLE_EQ(metric_on_all(items, {.own_score = "f1"}), 0.5);
  const double expected = std::sqrt(1.0 / 6 / 300);  // the scores are 0, 0.5 and 1
  EXPECT_NEAR(*standard_deviation(f1), expected, 0.06 * expected);
}

}  // namespace
}  // namespace rethink::test
