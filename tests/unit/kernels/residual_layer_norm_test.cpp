#include "kernels/residual_layer_norm/residual_layer_norm.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/csrc/autograd/autograd.h>

#include <string>

#include "kernels/reference.h"
#include "tests/support/error_ratio.h"

namespace rethink {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

Expression fused_layer_norm(const ResidualLayerNormOptions& options) {
  return [options](const Tensors& in) {
    return residual_layer_norm(in[0], in[1], in[2], in[3], options);
  };
}

Expression plain_layer_norm(const ResidualLayerNormOptions& options) {
  return [options](const Tensors& in) {
    return residual_layer_norm_reference(in[0], in[1], in[2], in[3], options);
  };
}

Tensors layer_norm_inputs(const std::vector<int64_t>& sizes) {
  at::manual_seed(2);
  const at::Tensor weight = at::randn({sizes.back()}, at::kDouble),
                   bias = at::randn({sizes.back()}, at::kDouble);
  return {at::randn(sizes, at::kDouble), at::randn(sizes, at::kDouble) + 3.0, weight, bias};
}

TEST(ResidualLayerNorm, IsAtMostTwiceAsWrongAsPlainLibTorch) {
  for (const double dropout : {0.0, 0.25}) {
    const ResidualLayerNormOptions options{.dropout = dropout, .key = {4, 5}};
    for (const std::vector<int64_t>& sizes :
         {std::vector<int64_t>{3, 128}, {5, 7, 97}, {2, 300}, {17, 3}, {40}}) {
      for (const at::ScalarType dtype : {at::kFloat, at::kDouble}) {
        expect_error_within_twice(fused_layer_norm(options), plain_layer_norm(options),
                                  layer_norm_inputs(sizes), dtype);
      }
    }
  }
}

TEST(ResidualLayerNorm, GradientsMatchCentralDifferences) {
  const ResidualLayerNormOptions options{.dropout = 0.3, .key = {4, 5}};
  expect_gradients_match_differences(fused_layer_norm(options), layer_norm_inputs({4, 5}));
}

/// in[4] is the bias of the input.
Expression with_input_bias(const ResidualLayerNormOptions& options,
                           at::Tensor (*norm)(const at::Tensor&, const at::Tensor&,
                                              const at::Tensor&, const at::Tensor&,
                                              const ResidualLayerNormOptions&)) {
  return [options, norm](const Tensors& in) {
    ResidualLayerNormOptions all = options;
    all.input_bias = in[4];
    return norm(in[0], in[1], in[2], in[3], all);
  };
}

Tensors inputs_with_bias(const std::vector<int64_t>& sizes) {
  Tensors inputs = layer_norm_inputs(sizes);
  inputs.push_back(at::randn({sizes.back()}, at::kDouble));
  return inputs;
}

TEST(ResidualLayerNorm, AddsABiasToItsInputBeforeDropout) {
  for (const double dropout : {0.0, 0.25}) {
    const ResidualLayerNormOptions options{.dropout = dropout, .key = {4, 5}};
    const Expression ours = with_input_bias(options, residual_layer_norm);
    for (const std::vector<int64_t>& sizes :
         {std::vector<int64_t>{5, 7, 97}, {2, 300}, {40}, {5000, 64}}) {
      expect_error_within_twice(ours, with_input_bias(options, residual_layer_norm_reference),
                                inputs_with_bias(sizes), at::kFloat);
    }
    expect_gradients_match_differences(ours, inputs_with_bias({4, 5}));
  }
}

TEST(ResidualLayerNorm, SumsTheGradientOfTheInputsBiasInFloat32) {
  const ResidualLayerNormOptions options{.dropout = 0.25, .key = {4, 5}};
  Tensors inputs = inputs_with_bias({40, 300});
  for (at::Tensor& input : inputs) input = input.to(at::kFloat);
  const at::Tensor half = inputs[0].to(at::kBFloat16);
  const auto gradient_of_bias = [&](const at::Tensor& input) {
    ResidualLayerNormOptions all = options;
    all.input_bias = inputs[4].detach().clone().requires_grad_();
    residual_layer_norm(input, inputs[1], inputs[2], inputs[3], all).square().sum().backward();
    return all.input_bias.grad();
  };
  EXPECT_TRUE(at::equal(gradient_of_bias(half), gradient_of_bias(half.to(at::kFloat))));
}

TEST(ResidualLayerNorm, GivesTheSameBitsOnTwoThreads) {
  const ResidualLayerNormOptions options{.dropout = 0.1, .key = {4, 5}};
  const int threads = at::get_num_threads();
  const Tensors once =
      result_and_gradients(fused_layer_norm(options), layer_norm_inputs({33, 21, 64}), at::kFloat);
  at::set_num_threads(2);
  const Tensors again =
      result_and_gradients(fused_layer_norm(options), layer_norm_inputs({33, 21, 64}), at::kFloat);
  at::set_num_threads(threads);
  for (size_t i = 0; i < once.size(); ++i) EXPECT_TRUE(at::equal(once[i], again[i])) << i;
}

TEST(ResidualLayerNorm, TakesAnInputOfLowerPrecisionAndNoRows) {
  Tensors inputs = layer_norm_inputs({4, 16});
  for (at::Tensor& input : inputs) input = input.to(at::kFloat);
  const at::Tensor half = inputs[0].to(at::kBFloat16);
  const at::Tensor expected =
      residual_layer_norm(half.to(at::kFloat), inputs[1], inputs[2], inputs[3], {});
  EXPECT_TRUE(at::equal(residual_layer_norm(half, inputs[1], inputs[2], inputs[3], {}), expected));
  EXPECT_EQ(
      result_and_gradients(fused_layer_norm({}), layer_norm_inputs({0, 8}), at::kFloat)[0].numel(),
      0);
}

void expect_bits(const at::Tensor& got, const at::Tensor& expected, const char* what) {
  EXPECT_EQ(got.scalar_type(), expected.scalar_type()) << what;
  EXPECT_TRUE(at::equal(got, expected)) << what;
}

/// Returns the results and gradients of a norm that also returns a copy. `of_output` and `of_copy` are the upstream
/// gradients; each may be undefined.
Tensors with_copy(const Tensors& inputs, const ResidualLayerNormOptions& options,
                  const at::Tensor& of_output, const at::Tensor& of_copy) {
  Tensors leaves;
  for (const at::Tensor& input : inputs) leaves.push_back(input.detach().clone().requires_grad_());
  const auto [output, copy] =
      residual_layer_norm_with_bfloat16(leaves[0], leaves[1], leaves[2], leaves[3], options);
  Tensors from, gradients;
  if (of_output.defined()) from.push_back(output), gradients.push_back(of_output);
  if (of_copy.defined()) from.push_back(copy), gradients.push_back(of_copy);
  torch::autograd::backward(from, gradients);
  Tensors all = {output.detach(), copy.detach()};
  for (const at::Tensor& leaf : leaves) all.push_back(leaf.grad());
  return all;
}

TEST(ResidualLayerNorm, GivesACopyInBfloat16WhoseGradientIsAdded) {
  for (const double dropout : {0.0, 0.25}) {
    const ResidualLayerNormOptions options{.dropout = dropout, .key = {4, 5}};
    Tensors inputs = layer_norm_inputs({9, 6, 40});
    for (at::Tensor& input : inputs) input = input.to(at::kFloat);
    inputs[0] = inputs[0].to(at::kBFloat16);
    const at::Tensor of_output = at::randn({9, 6, 40}),
                     of_copy = at::randn({9, 6, 40}).to(at::kBFloat16);
    for (const bool both : {true, false}) {
      const Tensors found = with_copy(inputs, options, both ? of_output : at::Tensor(), of_copy);
      Tensors leaves;
      for (const at::Tensor& input : inputs)
        leaves.push_back(input.detach().clone().requires_grad_());
      const at::Tensor plain =
          residual_layer_norm(leaves[0], leaves[1], leaves[2], leaves[3], options);
      const at::Tensor widened = of_copy.to(at::kFloat);
      plain.backward(both ? of_output + widened : widened);
      expect_bits(found[0], plain.detach(), "output");
      expect_bits(found[1], plain.detach().to(at::kBFloat16), "copy");
      for (size_t i = 0; i < leaves.size(); ++i)
        expect_bits(found[i + 2], leaves[i].grad(), std::to_string(i).c_str());
    }
  }
}

TEST(ResidualLayerNorm, GivesTheGradientOfABfloat16InputInItsDtype) {
  const ResidualLayerNormOptions options{.dropout = 0.25, .key = {4, 5}};
  Tensors inputs = layer_norm_inputs({2, 300});
  for (at::Tensor& input : inputs) input = input.to(at::kFloat);
  const at::Tensor half = inputs[0].to(at::kBFloat16).requires_grad_(),
                   whole = half.detach().to(at::kFloat).requires_grad_();
  const auto sum_of = [&](const at::Tensor& input) {
    return residual_layer_norm(input, inputs[1], inputs[2], inputs[3], options).square().sum();
  };
  sum_of(half).backward();
  sum_of(whole).backward();
  expect_bits(half.grad(), whole.grad().to(at::kBFloat16), "gradient");
}

TEST(ResidualLayerNorm, IsRightForMoreRowsThanPartsOfAnyDevice) {
  const ResidualLayerNormOptions options{.dropout = 0.1, .key = {4, 5}};
  expect_error_within_twice(fused_layer_norm(options), plain_layer_norm(options),
                            layer_norm_inputs({5000, 64}), at::kFloat);
}

TEST(ResidualLayerNorm, SaysWhatIsWrongWithItsInput) {
  const at::Tensor x = at::ones({2, 4}), vector = at::ones({4});
  const auto says = [](const char* text) { return ThrowsMessage<c10::Error>(HasSubstr(text)); };
  EXPECT_THAT(
      [&] {
        residual_layer_norm(at::ones({2, 3}), x, vector, vector, {});
      },
      says("input must be as residual, [2, 4], got [2, 3]"));
  EXPECT_THAT([&] { residual_layer_norm(x, x, at::ones({3}), vector, {}); },
              says("weight, bias and input_bias must be [4] of Float, got [3] of Float"));
  EXPECT_THAT([&] { residual_layer_norm(x, x, vector, vector, {.input_bias = at::ones({3})}); },
              says("weight, bias and input_bias must be [4] of Float, got [3] of Float"));
  EXPECT_THAT([&] { residual_layer_norm(x, x, vector, vector, {.dropout = 1.0}); },
              says("dropout must be in [0, 1)"));
  EXPECT_THAT([&] { residual_layer_norm(x.to(at::kDouble), x, vector, vector, {}); },
              says("input must be Float as residual, or bfloat16, got Double"));
  EXPECT_THAT([&] { residual_layer_norm(x.to(at::kLong), x.to(at::kLong), vector, vector, {}); },
              says("residual must be float32 or float64, got Long"));
}

}  // namespace
}  // namespace rethink
