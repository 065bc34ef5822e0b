#include "experiments/train/optimizer.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <cmath>

namespace rethink {
namespace {

struct Formula {
  double lr = 1e-3, beta1 = 0.9, beta2 = 0.999, eps = 1e-8, weight_decay = 0.0;
  bool amsgrad = false, decoupled = false;
};

/// The papers' updates in float64, element by element: returns the parameter after `gradients`.
double by_formula(const Formula& options, double parameter, const std::vector<double>& gradients) {
  double mean = 0, square = 0, largest = 0;
  for (size_t t = 1; t <= gradients.size(); ++t) {
    double gradient = gradients[t - 1];
    if (options.decoupled) {
      parameter -= options.lr * options.weight_decay * parameter;
    } else {
      gradient += options.weight_decay * parameter;
    }
    mean = options.beta1 * mean + (1 - options.beta1) * gradient;
    square = options.beta2 * square + (1 - options.beta2) * gradient * gradient;
    largest = std::max(largest, square);
    const double used = options.amsgrad ? largest : square;
    const double steps = static_cast<double>(t);
    const double unbiased_mean = mean / (1 - std::pow(options.beta1, steps));
    const double unbiased_square = used / (1 - std::pow(options.beta2, steps));
    parameter -= options.lr * unbiased_mean / (std::sqrt(unbiased_square) + options.eps);
  }
  return parameter;
}

void expect_formula(const std::string& name, const Json& options, const Formula& formula) {
  at::Tensor parameter = at::tensor({1.5f, -0.25f, 3.0f, 0.0f}).view({2, 2}).requires_grad_();
  const at::Tensor start = parameter.detach().clone();
  const auto optimizer = optimizers().make(name, options, {{"weight", parameter}});
  std::vector<at::Tensor> gradients;
  for (int step = 0; step < 25; ++step) {
    gradients.push_back(at::sin(at::arange(4, at::kFloat).view({2, 2}) * 1.7 + step * (step % 7)));
    parameter.mutable_grad() = gradients.back().clone();
    optimizer->step(1.0);
  }
  for (int64_t element = 0; element < 4; ++element) {
    std::vector<double> history;
    for (const at::Tensor& gradient : gradients) history.push_back(gradient.view(-1)[element].item<double>());
    const double expected = by_formula(formula, start.view(-1)[element].item<double>(), history);
    EXPECT_NEAR(parameter.view(-1)[element].item<double>(), expected, 2e-6) << name << " " << options.dump();
  }
}

TEST(Optimizers, AdamFollowsItsFormula) {
  expect_formula("adam", {{"lr", 0.01}}, {.lr = 0.01});
  expect_formula("adam", {{"lr", 0.01}, {"weight_decay", 0.1}}, {.lr = 0.01, .weight_decay = 0.1});
}

TEST(Optimizers, AdamWithAmsgradFollowsItsFormula) {
  expect_formula("adam", {{"lr", 0.01}, {"eps", 1e-3}, {"amsgrad", true}},
                 {.lr = 0.01, .eps = 1e-3, .amsgrad = true});
}

TEST(Optimizers, AdamwFollowsItsFormula) {
  expect_formula("adamw", {{"lr", 0.01}, {"weight_decay", 0.1}, {"beta2", 0.98}},
                 {.lr = 0.01, .beta2 = 0.98, .weight_decay = 0.1, .decoupled = true});
}

TEST(Optimizers, AdamwLeavesVectorsUndecayedUnlessAskedTo) {
  for (bool decays : {false, true}) {
    at::Tensor bias = at::ones({3}).requires_grad_();
    const auto optimizer = optimizers().make(
        "adamw", {{"lr", 0.1}, {"weight_decay", 0.5}, {"decay_vectors", decays}}, {{"bias", bias}});
    bias.mutable_grad() = at::zeros({3});
    optimizer->step(1.0);
    EXPECT_FLOAT_EQ(bias[0].item<float>(), decays ? 0.95f : 1.0f);
  }
}

TEST(Optimizers, TheFactorScalesTheLearningRate) {
  at::Tensor full = at::ones({2, 2}).requires_grad_(), half = at::ones({2, 2}).requires_grad_();
  full.mutable_grad() = at::ones({2, 2});
  half.mutable_grad() = at::ones({2, 2});
  optimizers().make("adam", {{"lr", 0.1}}, {{"weight", full}})->step(1.0);
  optimizers().make("adam", {{"lr", 0.1}}, {{"weight", half}})->step(0.5);
  EXPECT_NEAR(1 - full[0][0].item<double>(), 2 * (1 - half[0][0].item<double>()), 1e-6);
}

TEST(Optimizers, LeaveAParameterWithoutGradientAlone) {
  for (const std::string& name : optimizers().names()) {
    at::Tensor used = at::ones({2, 2}).requires_grad_(), unused = at::ones({2, 2}).requires_grad_();
    used.mutable_grad() = at::ones({2, 2});
    optimizers().make(name, Json::object(), {{"used", used}, {"unused", unused}})->step(1.0);
    EXPECT_TRUE(at::equal(unused, at::ones({2, 2}))) << name;
    EXPECT_FALSE(at::equal(used, at::ones({2, 2}))) << name;
  }
}

TEST(ClipGradients, ScalesToTheLimitOverAllParameters) {
  at::Tensor first = at::zeros({2}).requires_grad_(), second = at::zeros({1}).requires_grad_();
  first.mutable_grad() = at::tensor({3.0f, 0.0f});
  second.mutable_grad() = at::tensor({4.0f});
  const at::Tensor norm = clip_gradients({{"first", first}, {"second", second}}, 1.0);
  EXPECT_FLOAT_EQ(norm.item<float>(), 5.0f);
  EXPECT_NEAR(first.grad()[0].item<float>(), 0.6, 1e-5);
  EXPECT_NEAR(second.grad()[0].item<float>(), 0.8, 1e-5);
}

TEST(ClipGradients, LeavesSmallGradientsAlone) {
  at::Tensor parameter = at::zeros({2}).requires_grad_();
  parameter.mutable_grad() = at::tensor({0.3f, 0.4f});
  clip_gradients({{"weight", parameter}}, 1.0);
  EXPECT_TRUE(at::equal(parameter.grad(), at::tensor({0.3f, 0.4f})));
}

}  // namespace
}  // namespace rethink
