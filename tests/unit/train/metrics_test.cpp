#include "experiments/train/metrics.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/config/schema.h"
#include "core/json.h"

namespace rethink {
namespace {

const std::vector<SequenceLoss> kLines = {{6.0, 3}, {1.0, 1}, {0.0, 0}, {10.0, 4}};

double value(const std::string& name) {
  return metrics().make(name, Json::object())->value({.losses = kLines});
}

TEST(Metrics, WeighEveryTokenTheSame) {
  EXPECT_DOUBLE_EQ(value("loss"), 17.0 / 8);
  EXPECT_DOUBLE_EQ(value("perplexity"), std::exp(17.0 / 8));
  EXPECT_DOUBLE_EQ(value("nats_per_character"), 17.0 / 8);
  EXPECT_DOUBLE_EQ(value("bits_per_character"), 17.0 / 8 / std::log(2.0));
}

TEST(Metrics, LinePerplexityWeighsEveryLineTheSame) {
  EXPECT_DOUBLE_EQ(value("line_perplexity"), std::exp((2.0 + 1.0 + 2.5) / 3));
}

TEST(Metrics, HaveADirection) {
  for (const char* loss : {"loss", "perplexity", "bits_per_character", "mlm_loss"})
    EXPECT_TRUE(smaller_is_better(loss)) << loss;
  for (const char* share : {"accuracy", "mcc", "exact", "bleu", "mlm_accuracy"})
    EXPECT_FALSE(smaller_is_better(share)) << share;
}

TEST(Metrics, ConvertToTheirLoss) {
  EXPECT_DOUBLE_EQ(loss_said_by("loss", 2.5).value(), 2.5);
  EXPECT_NEAR(loss_said_by("perplexity", 4e30).value(), 70.5, 0.1);
  EXPECT_DOUBLE_EQ(loss_said_by("bits_per_character", 3.0).value(), 3.0 * std::log(2.0));
  for (const char* other : {"score", "accuracy", "bleu", "mlm_accuracy"})
    EXPECT_FALSE(loss_said_by(other, 0.5)) << other;
}

TEST(Metrics, AreNaNWithoutATokenToPredict) {
  const std::vector<SequenceLoss> none = {{0.0, 0}};
  const auto values = metric_values("sequences", {.losses = none}, /*characters=*/true);
  EXPECT_EQ(values.size(), metrics_of("sequences").size());
  for (const auto& [name, value] : values) EXPECT_TRUE(std::isnan(value)) << name;
}

TEST(Metrics, OfLabelsAreTheOfficialScorers) {
  const std::vector<double> predicted = {1, 0, 1, 1}, expected = {1, 0, 0, 1};
  const auto values = metric_values("labels", {.predicted = predicted, .expected = expected});
  EXPECT_DOUBLE_EQ(values.at("accuracy"), 0.75);
  EXPECT_DOUBLE_EQ(values.at("f1"), 0.8);
  EXPECT_NEAR(values.at("mcc"), 1 / std::sqrt(3.0), 1e-12);
  EXPECT_NEAR(values.at("pearson"), values.at("mcc"), 1e-12);
}

}  // namespace
}  // namespace rethink
