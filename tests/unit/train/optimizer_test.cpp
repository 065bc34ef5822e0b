#include "experiments/train/optimizer.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <cmath>

#include "core/json.h"
#include "experiments/train/optimizers/lamb_update.h"

namespace rethink {
namespace {

TEST(Optimizers, AdamwDoesNotDecayVectorsByDefault) {
  for (bool decays : {false, true}) {
    at::Tensor bias = at::ones({3}).requires_grad_();
    const auto optimizer =
        optimizers().make("adamw", {{"lr", 0.1}, {"weight_decay", 0.5}, {"decay_vectors", decays}},
                          {{.parameters = {{"bias", bias}}}});
    bias.mutable_grad() = at::zeros({3});
    optimizer->step(1.0);
    EXPECT_FLOAT_EQ(bias[0].item<float>(), decays ? 0.95f : 1.0f);
  }
}

TEST(Optimizers, TheFactorScalesTheLearningRate) {
  at::Tensor full = at::ones({2, 2}).requires_grad_(), half = at::ones({2, 2}).requires_grad_();
  full.mutable_grad() = at::ones({2, 2});
  half.mutable_grad() = at::ones({2, 2});
  optimizers().make("adam", {{"lr", 0.1}}, {{.parameters = {{"weight", full}}}})->step(1.0);
  optimizers().make("adam", {{"lr", 0.1}}, {{.parameters = {{"weight", half}}}})->step(0.5);
  EXPECT_NEAR(1 - full[0][0].item<double>(), 2 * (1 - half[0][0].item<double>()), 1e-6);
}

TEST(Optimizers, LeaveAParameterWithoutGradientAlone) {
  for (const std::string& name : optimizers().names()) {
    at::Tensor used = at::ones({2, 2}).requires_grad_(), unused = at::ones({2, 2}).requires_grad_();
    used.mutable_grad() = at::ones({2, 2});
    optimizers()
        .make(name, Json::object(), {{.parameters = {{"used", used}, {"unused", unused}}}})
        ->step(1.0);
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

TEST(Optimizers, GroupsHaveLearningRatesOfTheirOwn) {
  for (const std::string& name : optimizers().names()) {
    at::Tensor weight = at::ones({2}).requires_grad_(), mask = at::ones({2}).requires_grad_();
    const auto optimizer = optimizers().make(
        name, {{"lr", 0.001}},
        {{.parameters = {{"weight", weight}}}, {.parameters = {{"mask", mask}}, .lr = 0.01}});
    weight.mutable_grad() = at::ones({2});
    mask.mutable_grad() = at::ones({2});
    optimizer->step(1.0);
    EXPECT_NEAR(1 - mask[0].item<double>(), 10 * (1 - weight[0].item<double>()), 1e-6) << name;
  }
}

TEST(Optimizers, GroupsMayBeLeftUndecayed) {
  for (const char* name : {"adamw", "lamb"}) {
    for (const bool decays : {false, true}) {
      at::Tensor mask = at::ones({2, 2}).requires_grad_();
      const auto optimizer =
          optimizers().make(name, {{"lr", 0.1}, {"weight_decay", 0.5}},
                            {{.parameters = {{"mask", mask}}, .decays = decays}});
      mask.mutable_grad() = at::zeros({2, 2});
      optimizer->step(1.0);
      EXPECT_EQ(mask[0][0].item<float>() < 1.0f, decays) << name;
    }
  }
}

/// Algorithm 2 of You et al. in float64: with weight decay and scaled steps, or with neither.
std::vector<double> lamb_steps(std::vector<double> weight,
                               const std::vector<std::vector<double>>& gradients, bool scaled) {
  std::vector<double> mean(weight.size()), square(weight.size());
  for (size_t t = 0; t < gradients.size(); ++t) {
    std::vector<double> change(weight.size());
    double weight_length = 0, change_length = 0;
    for (size_t i = 0; i < weight.size(); ++i) {
      const double g = gradients[t][i], steps = static_cast<double>(t + 1);
      mean[i] = 0.9 * mean[i] + 0.1 * g;
      square[i] = 0.999 * square[i] + 0.001 * g * g;
      change[i] = mean[i] / (1 - std::pow(0.9, steps)) /
                  (std::sqrt(square[i] / (1 - std::pow(0.999, steps))) + 1e-6);
      if (scaled) change[i] += 0.01 * weight[i];
      weight_length += weight[i] * weight[i];
      change_length += change[i] * change[i];
    }
    const double ratio = scaled ? std::sqrt(weight_length / change_length) : 1.0;
    for (size_t i = 0; i < weight.size(); ++i) weight[i] -= 6e-3 * ratio * change[i];
  }
  return weight;
}

TEST(Optimizers, LambScalesStepsToTheNormOfDecayedParameters) {
  const std::vector<double> start = {1.5, -0.25, 3.0, 0.5};
  std::vector<std::vector<double>> gradients;
  for (int t = 0; t < 12; ++t) gradients.push_back({std::sin(t), 0.3, std::cos(2.0 * t), -0.1 * t});
  for (const bool matrix : {false, true}) {
    at::Tensor weight = at::tensor(start, at::kDouble);
    if (matrix) weight = weight.view({2, 2});
    weight.requires_grad_();
    const auto lamb =
        optimizers().make("lamb", Json::object(), {{.parameters = {{"weight", weight}}}});
    for (const auto& gradient : gradients) {
      weight.mutable_grad() = at::tensor(gradient, at::kDouble).view(weight.sizes());
      lamb->step(1.0);
    }
    const std::vector<double> expected = lamb_steps(start, gradients, matrix);
    for (int64_t i = 0; i < 4; ++i) {
      EXPECT_NEAR(weight.detach().flatten()[i].item<double>(), expected[static_cast<size_t>(i)],
                  1e-12);
    }
  }
}

/// Parameters of several sizes, with and without decay. Each call returns equal initial values.
std::vector<LambParameter> lamb_parameters() {
  at::manual_seed(3);
  std::vector<LambParameter> all;
  for (const std::vector<int64_t>& sizes : {std::vector<int64_t>{7, 5}, {4, 3}, {6}, {2, 2}}) {
    const bool zeros = sizes == std::vector<int64_t>{2, 2};  // norm 0: the step is not scaled
    all.push_back({zeros ? at::zeros(sizes) : at::randn(sizes), at::randn(sizes),
                   at::randn(sizes).mul_(0.1), at::rand(sizes), sizes.size() == 1 ? 0.02 : 0.01,
                   sizes.size() > 1});
  }
  return all;
}

TEST(Lamb, UpdatesAllParametersTogetherAsOneAfterAnother) {
  const LambRule rule{.mean_share = 0.19, .square_share = 0.002};
  const std::vector<LambParameter> apart = lamb_parameters(), together = lamb_parameters();
  for (const LambParameter& one : apart) update_by_lamb(one, rule);
  update_by_lamb_together(together, rule);
  for (size_t i = 0; i < apart.size(); ++i) {
    EXPECT_TRUE(at::allclose(together[i].parameter, apart[i].parameter, 1e-6, 1e-7)) << i;
    EXPECT_TRUE(at::equal(together[i].mean, apart[i].mean)) << i;
    EXPECT_TRUE(at::equal(together[i].square, apart[i].square)) << i;
  }
}

}  // namespace
}  // namespace rethink
