#include "experiments/train/optimizer.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

namespace rethink {
namespace {

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
