#include "models/tensors/linear.h"

#include <gtest/gtest.h>

#include "models/tensors/cross_entropy.h"
#include "tests/support/error_ratio.h"

namespace rethink {
namespace {

Tensors inputs_of(const std::vector<std::vector<int64_t>>& sizes) {
  at::manual_seed(3);
  Tensors inputs;
  for (const auto& size : sizes) inputs.push_back(at::randn(size, at::kDouble));
  return inputs;
}

at::Tensor ours(const Tensors& in) {
  return linear(in[0], in[1], in.size() > 2 ? in[2] : at::Tensor());
}

at::Tensor plain(const Tensors& in) {
  return at::linear(in[0], in[1], in.size() > 2 ? in[2] : at::Tensor());
}

// Sizes below and above the limit of oneDNN, with and without a bias.
TEST(Linear, IsAtMostTwiceAsWrongAsLibTorch) {
  for (const Tensors& inputs :
       {inputs_of({{3, 5}, {7, 5}, {7}}), inputs_of({{2, 3, 5}, {7, 5}}),
        inputs_of({{4, 64, 96}, {160, 96}, {160}}), inputs_of({{257, 131}, {67, 131}})}) {
    for (const at::ScalarType dtype : {at::kFloat, at::kDouble})
      expect_error_within_twice(ours, plain, inputs, dtype);
  }
}

TEST(Linear, TakesInputsOfAnyStrides) {
  Tensors inputs = inputs_of({{96, 256}, {96, 160}, {160}});
  for (at::Tensor& input : inputs) input = input.to(at::kFloat);
  const Tensors strided = {inputs[0].t(), inputs[1].t(), inputs[2]};
  EXPECT_LT(worst_difference(ours(strided), plain(strided)), 1e-4);
  EXPECT_LT(worst_difference(product(strided[0], strided[1]),
                             at::mm(strided[0].to(at::kDouble), strided[1].to(at::kDouble).t())),
            1e-4);
}

TEST(LinearCrossEntropy, IsAtMostTwiceAsWrongAsLibTorchInOneChunkAndInSeveral) {
  for (const auto& [rows, words] : {std::pair<int64_t, int64_t>{0, 5}, {9, 13}, {700, 15000}}) {
    const at::Tensor targets = at::arange(rows).mul(7).remainder(words);
    expect_error_within_twice(
        [&](const Tensors& in) { return linear_cross_entropy_sum(in[0], in[1], in[2], targets); },
        [&](const Tensors& in) {
          return -at::linear(in[0], in[1], in[2])
                      .log_softmax(1)
                      .gather(1, targets.unsqueeze(1))
                      .sum();
        },
        inputs_of({{rows, 24}, {words, 24}, {words}}), at::kFloat);
  }
}

TEST(LinearCrossEntropy, GoesBackwardOnce) {
  const at::Tensor hidden = at::ones({2, 3}).requires_grad_();
  const at::Tensor loss =
      linear_cross_entropy_sum(hidden, at::ones({4, 3}), at::ones({4}), at::zeros({2}, at::kLong));
  loss.backward({}, /*retain_graph=*/true);
  EXPECT_THROW(loss.backward(), c10::Error);
}

}  // namespace
}  // namespace rethink
