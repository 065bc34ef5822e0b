// Diagnostics of a language model with uniform attention, for which each number is known.
#include "experiments/train/diagnostics.h"

#include <ATen/ATen.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <utility>
#include <vector>

#include "core/json.h"
#include "core/store_files/event.h"
#include "experiments/attempt/event_log.h"
#include "experiments/train/device/device_numbers.h"
#include "experiments/train/jobs/lm.h"
#include "tests/support/temp_folder.h"

namespace rethink {
namespace {

class DiagnosticsOfAModel : public ::testing::Test {
 protected:
  DiagnosticsOfAModel() : task_(task(folder_.path())) {
    const at::NoGradGuard no_gradient;
    for (const auto& item : task_.model().named_parameters()) {
      parameters_.emplace_back(item.key(), item.value());
      if (item.key().find("query") != std::string::npos) item.value().zero_();
    }
  }

  static LanguageModelTask task(const std::filesystem::path& cache) {
    ModelOptions model;
    model.layers = 2;
    model.d_model = 16;
    model.heads = 2;
    model.ffn = 16;
    model.attention.name = "dense";
    return LanguageModelTask(
        require_kind<TokenDataset>(datasets().make("synthetic_language", {{"sentences", 50}},
                                                   {.data = {}, .cache = cache}),
                                   "synthetic_language"),
        model, {.batching = {.batch = 8}}, /*seed=*/0, at::kCPU);
  }

  Diagnostics with(std::optional<int64_t> every, int64_t log_every, int64_t total_steps) {
    return {task_, parameters_, precision_, every, log_every, total_steps};
  }

  /// Adds steps with two tokens, whose loss is the number of the step.
  static void add_steps(Diagnostics& diagnostics, int64_t first, int64_t last) {
    for (int64_t step = first; step <= last; ++step)
      diagnostics.add_step(step, at::full({}, static_cast<double>(2 * step)), /*tokens=*/2, {});
  }

  /// Returns the steps that `diagnostics` writes for a diverged training.
  std::vector<int64_t> kept_steps(const Diagnostics& diagnostics) const {
    const std::filesystem::path file = folder_ / "events.jsonl";
    {
      EventLog events(file);
      events.prepare_start({{"attempt", 1}});
      events.start(0);
      diagnostics.write_last_steps(events);
    }
    std::vector<int64_t> steps;
    read_events(file, 0, [&](const Json& event) {
      if (event.at("event") != "metric") return;
      steps.push_back(event.at("step"));
      EXPECT_EQ(event.at("value"), event.at("step"));
    });
    return steps;
  }

  /// Returns the steps of ranges, both ends included.
  static std::vector<int64_t> steps_of(const std::vector<std::pair<int64_t, int64_t>>& ranges) {
    std::vector<int64_t> steps;
    for (const auto& [first, last] : ranges) {
      for (int64_t step = first; step <= last; ++step) steps.push_back(step);
    }
    return steps;
  }

  const TempFolder folder_;
  const std::string precision_ = "float32";
  LanguageModelTask task_;
  NamedTensors parameters_;
};

TEST_F(DiagnosticsOfAModel, HaveAPointAtMostTwoHundredTimes) {
  const Diagnostics few = with(std::nullopt, 50, 1000), many = with(std::nullopt, 50, 100'000);
  EXPECT_TRUE(few.is_due(50));
  EXPECT_FALSE(few.is_due(51));
  EXPECT_FALSE(many.is_due(50));
  int points = 0;
  for (int64_t step = 1; step <= 100'000; ++step) points += many.is_due(step) ? 1 : 0;
  EXPECT_EQ(points, 200);
}

TEST_F(DiagnosticsOfAModel, AreSixteenStepsApartFromTwentyPointsOn) {
  const auto points = [&](const Diagnostics& diagnostics, int64_t steps) {
    int count = 0;
    for (int64_t step = 1; step <= steps; ++step) count += diagnostics.is_due(step) ? 1 : 0;
    return count;
  };
  EXPECT_EQ(points(with(std::nullopt, 1, 1600), 1600), 100);
  EXPECT_EQ(points(with(std::nullopt, 10, 1600), 1600), 80) << "a multiple of log_every";
  EXPECT_EQ(points(with(std::nullopt, 1, 40), 40), 20);
  EXPECT_EQ(points(with(std::nullopt, 1, 8), 8), 8);
  EXPECT_EQ(points(with(1, 1, 1600), 1600), 1600) << "by hand";
}

TEST_F(DiagnosticsOfAModel, HaveAPointAtTheLastStep) {
  EXPECT_TRUE(with(std::nullopt, 50, 17).is_due(17));
  EXPECT_TRUE(with(10, 50, 17).is_due(17));
  EXPECT_FALSE(with(0, 50, 17).is_due(17));
}

TEST_F(DiagnosticsOfAModel, HaveAPointBeforeTheFirstStep) {
  EXPECT_TRUE(with(std::nullopt, 50, 17).is_due(0));
  EXPECT_FALSE(with(0, 50, 17).is_due(0));
}

TEST_F(DiagnosticsOfAModel, KeepTheFirstStepAndTheLastFifty) {
  Diagnostics diagnostics = with(std::nullopt, 50, 1000);
  add_steps(diagnostics, 1, 80);
  EXPECT_EQ(kept_steps(diagnostics), steps_of({{1, 1}, {31, 80}}));
}

TEST_F(DiagnosticsOfAModel, KeepTheStepsBeforeTheLossWasTooHigh) {
  Diagnostics diagnostics = with(std::nullopt, 50, 1000);
  add_steps(diagnostics, 1, 100);
  diagnostics.set_too_high(true);
  add_steps(diagnostics, 101, 200);
  diagnostics.set_too_high(true);
  add_steps(diagnostics, 201, 300);
  EXPECT_EQ(kept_steps(diagnostics), steps_of({{1, 1}, {51, 100}, {251, 300}}));
}

TEST_F(DiagnosticsOfAModel, KeepNoEarlierStepsOfALossThatWasTooHighForAWhile) {
  Diagnostics diagnostics = with(std::nullopt, 50, 1000);
  add_steps(diagnostics, 1, 100);
  diagnostics.set_too_high(true);
  add_steps(diagnostics, 101, 180);
  diagnostics.set_too_high(false);
  EXPECT_EQ(kept_steps(diagnostics), steps_of({{1, 1}, {131, 180}}));
}

TEST_F(DiagnosticsOfAModel, MeasureTheAttentionOfEachLayer) {
  DeviceNumbers numbers;
  with(1, 1, 1).add_point(numbers, /*example=*/0);
  std::map<std::string, double> values;
  for (const auto& [name, value] : numbers.read()) values[name] = value;
  EXPECT_EQ(values.at("attention_logit_1"), 0.0);
  EXPECT_EQ(values.at("attention_logit_2"), 0.0);
  // The q-th token has weight 1/q on each of q tokens: an entropy of ln q.
  const int64_t tokens = task_.batch({0}).columns.at("input_ids").size(1);
  double entropy = 0.0;
  for (int64_t q = 1; q <= tokens; ++q)
    entropy += std::log(static_cast<double>(q)) / static_cast<double>(tokens);
  EXPECT_NEAR(values.at("attention_entropy_1"), entropy, 1e-5);
  EXPECT_NEAR(values.at("attention_entropy_2"), entropy, 1e-5);
  double squares = 0.0;
  for (const auto& [name, parameter] : parameters_)
    squares += parameter.to(at::kDouble).square().sum().item<double>();
  EXPECT_NEAR(values.at("parameter_norm"), std::sqrt(squares), 1e-5 * std::sqrt(squares));
}

}  // namespace
}  // namespace rethink
