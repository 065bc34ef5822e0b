// Optimizers, schedules and metrics compared with expressions in float64. The contracts below the
// expressions run over every registered one.
#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <cmath>

#include "core/config/schema.h"
#include "core/format/safetensors.h"
#include "core/json.h"
#include "datasets/dataset.h"
#include "experiments/train/metrics.h"
#include "experiments/train/optimizer.h"
#include "experiments/train/schedules.h"
#include "experiments/train/state.h"
#include "tests/support/temp_folder.h"

namespace rethink {
namespace {

// Optimizers.

struct AdamFormula {
  double lr = 1e-3, beta1 = 0.9, beta2 = 0.999, eps = 1e-8, weight_decay = 0.0;
  bool amsgrad = false, decoupled = false;

  /// Returns a single parameter after updates with `gradients`, computed by the formulas of the papers.
  double operator()(double parameter, const std::vector<double>& gradients) const {
    double mean = 0, square = 0, largest = 0;
    for (size_t t = 1; t <= gradients.size(); ++t) {
      double gradient = gradients[t - 1];
      if (decoupled) {
        parameter -= lr * weight_decay * parameter;
      } else {
        gradient += weight_decay * parameter;
      }
      mean = beta1 * mean + (1 - beta1) * gradient;
      square = beta2 * square + (1 - beta2) * gradient * gradient;
      largest = std::max(largest, square);
      const double steps = static_cast<double>(t);
      const double unbiased_mean = mean / (1 - std::pow(beta1, steps));
      const double unbiased_square = (amsgrad ? largest : square) / (1 - std::pow(beta2, steps));
      parameter -= lr * unbiased_mean / (std::sqrt(unbiased_square) + eps);
    }
    return parameter;
  }
};

struct OptimizerCase {
  Json options;
  std::function<double(double, const std::vector<double>&)> formula;
};

const std::map<std::string, std::vector<OptimizerCase>> kOptimizers = {
    {"adam",
     {{Json::object(), AdamFormula{}},
      {{{"lr", 0.01}, {"weight_decay", 0.1}}, AdamFormula{.lr = 0.01, .weight_decay = 0.1}},
      {{{"lr", 0.01}, {"beta1", 0.8}, {"beta2", 0.95}},
       AdamFormula{.lr = 0.01, .beta1 = 0.8, .beta2 = 0.95}},
      {{{"lr", 0.01}, {"eps", 1e-3}, {"amsgrad", true}},
       AdamFormula{.lr = 0.01, .eps = 1e-3, .amsgrad = true}}}},
    {"adamw",
     {{Json::object(), AdamFormula{.weight_decay = 0.01, .decoupled = true}},
      {{{"lr", 0.01}, {"weight_decay", 0.1}, {"beta2", 0.98}},
       AdamFormula{.lr = 0.01, .beta2 = 0.98, .weight_decay = 0.1, .decoupled = true}},
      {{{"lr", 0.01}, {"amsgrad", true}},
       AdamFormula{.lr = 0.01, .weight_decay = 0.01, .amsgrad = true, .decoupled = true}}}}};

/// Gradients that grow and shrink, so that the largest mean square is not the last.
at::Tensor gradient_at(int step, at::ScalarType dtype) {
  const at::Tensor base =
      at::sin(at::arange(4, at::kDouble).view({2, 2}) * 1.7 + step * (step % 7));
  return (base * (step < 8 ? 3.0 : 0.1)).to(dtype);
}

at::Tensor start_at(at::ScalarType dtype) {
  return at::tensor({1.5, -0.25, 3.0, 0.0}, at::kDouble).view({2, 2}).to(dtype).requires_grad_();
}

void take_steps(Optimizer& optimizer, at::Tensor parameter, int from, int to) {
  for (int step = from; step < to; ++step) {
    parameter.mutable_grad() = gradient_at(step, parameter.scalar_type());
    optimizer.step(1.0);
  }
}

void expect_formula(const std::string& name, const OptimizerCase& one, at::ScalarType dtype,
                    double tolerance) {
  constexpr int kSteps = 25;
  const at::Tensor parameter = start_at(dtype), start = start_at(dtype);
  const auto optimizer =
      optimizers().make(name, one.options, {{.parameters = {{"weight", parameter}}}});
  take_steps(*optimizer, parameter, 0, kSteps);
  for (int64_t element = 0; element < 4; ++element) {
    std::vector<double> gradients;
    for (int step = 0; step < kSteps; ++step)
      gradients.push_back(gradient_at(step, dtype).view(-1)[element].item<double>());
    EXPECT_NEAR(parameter.view(-1)[element].item<double>(),
                one.formula(start.view(-1)[element].item<double>(), gradients), tolerance)
        << name << " " << one.options.dump() << " " << c10::toString(dtype);
  }
}

TEST(OptimizerContract, EachFollowsItsFormula) {
  for (const auto& [name, cases] : kOptimizers) {
    for (const OptimizerCase& one : cases) {
      expect_formula(name, one, at::kDouble, 1e-12);
      expect_formula(name, one, at::kFloat, 3e-6);
    }
  }
}

/// Returns the options with which the expressions are compared, or the defaults.
std::vector<Json> options_to_try(const std::string& name) {
  std::vector<Json> options;
  if (const auto found = kOptimizers.find(name); found != kOptimizers.end()) {
    for (const OptimizerCase& one : found->second) options.push_back(one.options);
  }
  return options.empty() ? std::vector<Json>{Json::object()} : options;
}

TEST(OptimizerContract, EachContinuesFromItsSavedState) {
  for (const std::string& name : optimizers().names()) {
    for (const Json& options : options_to_try(name)) {
      const at::Tensor quiet = start_at(at::kFloat), cut = start_at(at::kFloat);
      take_steps(*optimizers().make(name, options, {{.parameters = {{"weight", quiet}}}}), quiet, 0,
                 12);

      const auto before = optimizers().make(name, options, {{.parameters = {{"weight", cut}}}});
      take_steps(*before, cut, 0, 9);
      const TempFolder folder;
      State saving;
      before->visit(saving);
      saving.write(folder / "state");
      const auto after = optimizers().make(name, options, {{.parameters = {{"weight", cut}}}});
      const SafetensorsFile file(folder / "state");
      State loading(file);
      after->visit(loading);
      take_steps(*after, cut, 9, 12);
      EXPECT_TRUE(at::equal(cut, quiet)) << name << " " << options.dump();
    }
  }
}

// Schedules.

constexpr double kTotal = 40;

struct ScheduleCase {
  Json options;
  std::function<double(double)> factor;  // of the step, kTotal in all
};

const std::map<std::string, std::vector<ScheduleCase>> kSchedules = {
    {"constant",
     {{Json::object(), [](double) { return 1.0; }},
      {{{"warmup", 7}}, [](double step) { return std::min(1.0, step / 7); }}}},
    {"linear",
     {{Json::object(), [](double step) { return (kTotal + 1 - step) / kTotal; }},
      {{{"warmup", 5}}, [](double step) { return std::min(step / 5, (kTotal + 1 - step) / 35); }},
      {{{"warmup_share", 0.26}},
       [](double step) { return std::min(step / 10, (kTotal + 1 - step) / 30); }}}},
    {"polynomial",
     {{Json::object(), [](double step) { return std::sqrt((kTotal + 1 - step) / kTotal); }},
      {{{"warmup_share", 0.25}, {"power", 2}},
       [](double step) { return step < 10 ? step / 10 : std::pow((kTotal + 1 - step) / 40, 2); }}}},
    {"inverse_square_root",
     {{Json::object(), [](double step) { return step / 4000; }},
      {{{"warmup", 9}}, [](double step) { return std::min(step / 9, 3 / std::sqrt(step)); }}}}};

TEST(ScheduleContract, EachFollowsItsFormula) {
  for (const std::string& name : schedules().names())
    EXPECT_TRUE(kSchedules.contains(name)) << name << " has no formula here";
  for (const auto& [name, cases] : kSchedules) {
    for (const ScheduleCase& one : cases) {
      const auto schedule = schedules().make(name, one.options, static_cast<int64_t>(kTotal));
      for (int64_t step = 1; step <= static_cast<int64_t>(kTotal); ++step) {
        const double expected = std::min(1.0, one.factor(static_cast<double>(step)));
        EXPECT_NEAR(schedule->factor(step), expected, 1e-15)
            << name << one.options.dump() << " " << step;
      }
    }
  }
}

// Metrics.

const std::vector<SequenceLoss> kSequences = {
    {6.25, 3}, {1.5, 1}, {0.0, 0}, {10.75, 4}, {0.125, 9}};

double mean_over_tokens() {
  return (6.25 + 1.5 + 10.75 + 0.125) / (3 + 1 + 4 + 9);
}
double mean_over_lines() {
  return (6.25 / 3 + 1.5 + 10.75 / 4 + 0.125 / 9) / 4;
}

const std::map<std::string, std::function<double()>> kMetrics = {
    {"bits_per_character", [] { return std::log2(std::exp(mean_over_tokens())); }},
    {"line_perplexity", [] { return std::exp(mean_over_lines()); }},
    {"loss", mean_over_tokens},
    {"nats_per_character", mean_over_tokens},
    {"perplexity", [] { return std::exp(mean_over_tokens()); }}};

TEST(MetricContract, EachFollowsItsFormula) {
  for (const auto& [name, formula] : kMetrics) {
    EXPECT_NEAR(metrics().make(name, Json::object())->value({.losses = kSequences}), formula(),
                1e-13)
        << name;
  }
}

/// Tests over items compute a metric from its facts. Both ways must lead to the same number.
TEST(MetricContract, EachIsWhatItsFactsSay) {
  for (const std::string& name : metrics().names()) {
    const auto& [kind, direction, items, unit, least, most] = metrics().facts(name);
    EXPECT_TRUE(direction == "min" || direction == "max") << name;
    EXPECT_TRUE(least) << name << " does not say its least value, so imported scores go unchecked";
    if (!items || items->mean_over.empty()) continue;
    const std::map<std::string, double> means = {{"tokens", mean_over_tokens()},
                                                 {"items", mean_over_lines()}};
    const double nats = means.at(items->mean_over);
    const std::map<std::string, double> shown = {
        {"nats", nats}, {"bits", nats / std::log(2.0)}, {"exp", std::exp(nats)}};
    EXPECT_NEAR(metrics().make(name, Json::object())->value({.losses = kSequences}),
                shown.at(items->shown_as), 1e-13)
        << name;
  }
}

TEST(MetricContract, OnlyBleuIsOfCounts) {
  BleuScore score(kSacreBleu);
  score.add("the cat sat on the mat", "the cat is on the mat");
  for (const std::string& name : metrics().names()) {
    const auto& items = metrics().facts(name).items;
    EXPECT_EQ(items ? items->sums_of : "", name == "bleu" ? "bleu_counts" : "") << name;
  }
  EXPECT_EQ(
      metrics().make("bleu", Json::object())->value({.bleu = &score}),
      bleu_of_counts(bleu_counts("the cat sat on the mat", "the cat is on the mat", kSacreBleu),
                     /*is_smoothed=*/true));
}

/// The metrics that a data set's trials record must be registered, so that `select` and tables know
/// which direction is better.
TEST(MetricContract, EveryMetricOfADataSetIsRegistered) {
  size_t checked = 0;
  for (const std::string& name : datasets().names()) {
    for (const std::string& metric : datasets().facts(name).metrics) {
      EXPECT_NO_THROW(metrics().schema(metric)) << name << ": " << metric;
      EXPECT_EQ(smaller_is_better(metric), metric == "loss" || metric == "perplexity")
          << name << ": " << metric;
      ++checked;
    }
  }
  EXPECT_GT(checked, 10u);
}

}  // namespace
}  // namespace rethink
