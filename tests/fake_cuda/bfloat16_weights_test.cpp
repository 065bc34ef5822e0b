// Tests that bfloat16 copies of weights, and gradients that are added together, give the bits of
// autocast and autograd.
#include "models/tensors/bfloat16_weights.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>
#include <torch/nn/module.h>

#include <memory>
#include <optional>
#include <vector>

#include "experiments/train/device/device.h"
#include "experiments/train/device/gradient_sums.h"
#include "models/layers.h"
#include "models/tensors/linear.h"
#include "tests/fake_cuda/fake_device.h"

namespace rethink {
namespace {

using at::Tensor;

/// A model with three joined projections (queries, keys and values), one projection that is used
/// twice, and an embedding that is also the output projection.
class SmallModel : public torch::nn::Module {
 public:
  SmallModel() {
    at::manual_seed(1);
    const InitialWeights initial{.seed = 3};
    for (AffinePair& pair : parts_)
      pair = add_linear(*this, "", "part" + std::to_string(&pair - parts_), {16, 8}, initial);
    twice_ = add_linear(*this, "", "twice", {24, 24}, initial);
    back_ = add_linear(*this, "", "back", {24, 16}, initial);
    embedding_ = add_weight(*this, "embedding", at::randn({11, 16}));
    to(at::kCUDA);
  }
  Tensor loss(const Tensor& tokens) {
    const Tensor input = at::embedding(embedding_, tokens);
    std::vector<Tensor> weights, biases;
    for (const AffinePair& pair : parts_) {
      weights.push_back(pair.weight);
      biases.push_back(pair.bias);
    }
    Tensor hidden = linear(input, joined_linear_weights(weights), joined_linear_weights(biases));
    for (int i = 0; i < 2; ++i) hidden = linear(hidden, twice_.weight, twice_.bias).relu();
    const Tensor out = linear(hidden, back_.weight, back_.bias);
    return linear(out, embedding_, Tensor()).to(at::kFloat).square().mean();
  }

 private:
  AffinePair parts_[3], twice_, back_;
  Tensor embedding_;
};

/// Returns the weights after three updates, each by the gradients of two batches.
std::vector<Tensor> trained(bool is_kept) {
  SmallModel model;
  NamedTensors parameters;
  std::vector<Tensor> tensors;
  for (const auto& item : model.named_parameters()) {
    parameters.emplace_back(item.key(), item.value());
    tensors.push_back(item.value());
  }
  std::optional<Bfloat16Weights> weights;
  if (is_kept) weights.emplace(model, tensors);
  for (int step = 0; step < 3; ++step) {
    for (const Tensor& tensor : tensors) tensor.mutable_grad().reset();
    GradientSums sums(parameters, weights ? &*weights : nullptr);
    for (int batch = 0; batch < 2; ++batch) {
      Tensor loss;
      {
        const PrecisionScope precision("bfloat16", at::kCUDA);
        loss =
            model.loss((at::arange(6, at::kLong) + 5 * step + batch).remainder(11).to(at::kCUDA));
      }
      loss.backward();
      if (is_kept) sums.add_batch();
    }
    if (is_kept) sums.finish();
    const at::NoGradGuard no_gradient;
    for (const Tensor& tensor : tensors) Tensor(tensor).sub_(tensor.grad(), 0.1);
    if (weights && step != 1) weights->refresh();  // at step 1 only the version shows a stale copy
  }
  return tensors;
}

TEST(Bfloat16Weights, GiveTheBitsOfAutocast) {
  fake_device();
  const std::vector<Tensor> kept = trained(true), cast = trained(false);
  ASSERT_EQ(kept.size(), cast.size());
  for (size_t i = 0; i < kept.size(); ++i)
    EXPECT_TRUE(at::equal(kept[i].to(at::kCPU), cast[i].to(at::kCPU))) << i;
}

}  // namespace
}  // namespace rethink
