// The values are scikit-learn 1.9.1's accuracy_score, f1_score and matthews_corrcoef, and SciPy
// 1.17.1's pearsonr and spearmanr, of the same numbers.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "datasets/scores/labelled_metrics.h"

namespace rethink {
namespace {

using Classes = std::vector<int64_t>;

Classes classes(int64_t count, int64_t a, int64_t b, int64_t modulus, int64_t kinds) {
  Classes all;
  for (int64_t i = 0; i < count; ++i) all.push_back((i * i * a + i * b) % modulus % kinds);
  return all;
}

/// Returns the second list of the correlations' test, and the first.
std::vector<double> truths() {
  std::vector<double> all;
  for (int i = 0; i < 40; ++i) all.push_back(((i * 29) % 19) * 0.2 + ((i * 37) % 23) * 0.1);
  return all;
}
std::vector<double> guesses() {
  std::vector<double> all;
  for (int i = 0; i < 40; ++i) all.push_back(((i * 37) % 23) * 0.25 + (i % 3) * 0.1);
  return all;
}
std::vector<double> rounded(std::vector<double> values) {
  for (double& value : values) value = std::nearbyint(value);
  return values;
}

TEST(Classification, AgreesWithScikitLearn) {
  const Classes predicted = classes(50, 5, 3, 7, 3), truth = classes(50, 1, 3, 11, 3);
  EXPECT_DOUBLE_EQ(accuracy(predicted, truth), 0.26);
  EXPECT_NEAR(matthews_correlation(predicted, truth), -0.050683919656207076, 1e-15);
  Classes better = truth;
  for (size_t i = 0; i < better.size(); i += 4) better[i] = (better[i] + 1) % 3;
  EXPECT_DOUBLE_EQ(accuracy(better, truth), 0.74);
  EXPECT_NEAR(matthews_correlation(better, truth), 0.5394787195908345, 1e-15);
}

TEST(Classification, F1AgreesWithScikitLearn) {
  const Classes predicted = classes(50, 5, 3, 7, 2), truth = classes(50, 1, 3, 11, 2);
  EXPECT_NEAR(f1_of_class_1(predicted, truth), 0.43478260869565216, 1e-15);
  Classes better = truth;
  for (size_t i = 0; i < better.size(); i += 4) better[i] = 1 - better[i];
  EXPECT_NEAR(f1_of_class_1(better, truth), 0.6829268292682927, 1e-15);
}

TEST(Classification, F1IsOfClassOne) {
  // Class 1: two right predictions, three predictions, four true labels: precision 2/3, recall 1/2.
  const Classes predicted = {1, 1, 1, 0, 0, 0, 0}, truth = {1, 1, 0, 1, 1, 0, 0};
  EXPECT_DOUBLE_EQ(f1_of_class_1(predicted, truth), 2 * (2.0 / 3) * 0.5 / (2.0 / 3 + 0.5));
  // With 0 and 1 exchanged: two right predictions, four predictions, three true labels.
  const Classes not_predicted = {0, 0, 0, 1, 1, 1, 1}, not_truth = {0, 0, 1, 0, 0, 1, 1};
  EXPECT_DOUBLE_EQ(f1_of_class_1(not_predicted, not_truth), 4.0 / 7);
}

TEST(Classification, ConstantPredictionsAreWorthNothing) {
  const Classes zeros(6, 0), mixed = {0, 1, 0, 1, 1, 0};
  EXPECT_EQ(matthews_correlation(zeros, mixed), 0);
  EXPECT_EQ(matthews_correlation(mixed, zeros), 0);
  EXPECT_EQ(f1_of_class_1(zeros, mixed), 0);
  EXPECT_EQ(f1_of_class_1(zeros, zeros), 0);
  EXPECT_EQ(accuracy(zeros, mixed), 0.5);
  EXPECT_TRUE(std::isnan(accuracy({}, {})));
}

RC_GTEST_PROP(Classification, MatthewsIsTheTextbooksForTwoClasses, ()) {
  const auto size = *rc::gen::inRange<size_t>(1, 60);
  const auto bits = rc::gen::container<Classes>(size, rc::gen::inRange<int64_t>(0, 2));
  const Classes predicted = *bits, truth = *bits;
  double tp = 0, tn = 0, fp = 0, fn = 0;
  for (size_t i = 0; i < size; ++i)
    ++(predicted[i] == 1 ? (truth[i] == 1 ? tp : fp) : (truth[i] == 1 ? fn : tn));
  const double below = (tp + fp) * (tp + fn) * (tn + fp) * (tn + fn);
  const double expected = below == 0 ? 0 : (tp * tn - fp * fn) / std::sqrt(below);
  RC_ASSERT(std::abs(matthews_correlation(predicted, truth) - expected) < 1e-12);
}

TEST(Correlation, AgreesWithSciPy) {
  EXPECT_NEAR(pearson_correlation(guesses(), truths()), 0.6287954242967188, 1e-14);
  EXPECT_NEAR(spearman_correlation(guesses(), truths()), 0.6110329326074464, 1e-14);
}

TEST(Correlation, EqualValuesShareTheirRank) {
  EXPECT_EQ(average_ranks(std::vector<double>{3, 1, 3, 2, 3}),
            (std::vector<double>{4, 1, 4, 2, 4}));
  const std::vector<double> a = rounded(guesses()), b = rounded(truths());
  EXPECT_NEAR(pearson_correlation(a, b), 0.5874430609247899, 1e-14);
  EXPECT_NEAR(spearman_correlation(a, b), 0.5722056873643689, 1e-14);
}

TEST(Correlation, IsKeptFarFromZero) {
  std::vector<double> far = guesses();
  for (double& value : far) value += 1e9;
  EXPECT_NEAR(pearson_correlation(far, truths()), pearson_correlation(guesses(), truths()), 1e-6);
}

TEST(Correlation, WithAConstantIsNaN) {
  const std::vector<double> constant(4, 0.1), rising = {1, 2, 3, 4}, broken = {1, NAN, 3, 4};
  EXPECT_TRUE(std::isnan(pearson_correlation(constant, rising)));
  EXPECT_TRUE(std::isnan(spearman_correlation(rising, constant)));
  EXPECT_TRUE(std::isnan(spearman_correlation(rising, broken)));
  EXPECT_TRUE(std::isnan(pearson_correlation(std::vector<double>{1}, std::vector<double>{2})));
  EXPECT_EQ(pearson_correlation(rising, rising), 1);
}

TEST(LabelledMetrics, AreFoundByName) {
  const std::vector<double> predicted = {1, 0, 1, 1}, truth = {1, 0, 0, 1};
  std::vector<std::string> names;
  for (const LabelledMetric& metric : labelled_metrics()) names.push_back(metric.name);
  EXPECT_THAT(names, testing::IsSupersetOf({"accuracy", "f1", "mcc", "pearson", "spearman"}));
  EXPECT_DOUBLE_EQ(labelled_metric("accuracy", predicted, truth), 0.75);
  EXPECT_DOUBLE_EQ(labelled_metric("f1", predicted, truth), 0.8);
  EXPECT_NEAR(labelled_metric("mcc", predicted, truth),
              labelled_metric("pearson", predicted, truth), 1e-12);
}

TEST(LabelledMetrics, OfPredictionsThatAreAllEqualCorrelateWithNothing) {
  const std::vector<double> equal = {0.3, 0.3, 0.3}, broken = {NAN, NAN, NAN}, truth = {1, 2, 4};
  for (const char* name : {"pearson", "spearman"}) {
    EXPECT_EQ(labelled_metric(name, equal, truth), 0) << name;
    EXPECT_TRUE(std::isnan(labelled_metric(name, broken, truth))) << name;
    EXPECT_TRUE(std::isnan(labelled_metric(name, truth, equal))) << name;
  }
}

TEST(LabelledMetrics, AreBelowZeroWhereTheyAreCorrelations) {
  const std::vector<double> predicted = {1, 0, 1, 0}, truth = {0, 1, 0, 1};
  for (const LabelledMetric& metric : labelled_metrics()) {
    EXPECT_GE(metric.value(predicted, truth), metric.least) << metric.name;
    if (metric.least < 0) {
      EXPECT_DOUBLE_EQ(metric.value(predicted, truth), metric.least) << metric.name;
    }
  }
}

}  // namespace
}  // namespace rethink
