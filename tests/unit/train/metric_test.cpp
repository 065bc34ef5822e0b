#include "experiments/train/metric.h"

#include <gtest/gtest.h>

#include <cmath>

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

TEST(Metrics, SayWhichWayIsBetter) {
  for (const std::string& name : metrics().names()) EXPECT_TRUE(smaller_is_better(name)) << name;
}

TEST(Metrics, AreNoNumberWithoutATokenToPredict) {
  for (const std::string& name : metrics().names()) {
    const std::vector<SequenceLoss> none = {{0.0, 0}};
    EXPECT_TRUE(std::isnan(metrics().make(name, Json::object())->value({.losses = none}))) << name;
  }
}

}  // namespace
}  // namespace rethink
