#include "kernels/residual_layer_norm/residual_layer_norm.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

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

TEST(ResidualLayerNorm, SaysWhatIsWrongWithItsInput) {
  const at::Tensor x = at::ones({2, 4}), vector = at::ones({4});
  const auto says = [](const char* text) { return ThrowsMessage<c10::Error>(HasSubstr(text)); };
  EXPECT_THAT(
      [&] {
        residual_layer_norm(at::ones({2, 3}), x, vector, vector, {});
      },
      says("input must be as residual, [2, 4], got [2, 3]"));
  EXPECT_THAT([&] { residual_layer_norm(x, x, at::ones({3}), vector, {}); },
              says("weight and bias must be [4] of Float, got [3] of Float"));
  EXPECT_THAT([&] { residual_layer_norm(x, x, vector, vector, {.dropout = 1.0}); },
              says("dropout must be in [0, 1)"));
  EXPECT_THAT([&] { residual_layer_norm(x.to(at::kLong), x.to(at::kLong), vector, vector, {}); },
              says("residual must be float32 or float64, got Long"));
}

}  // namespace
}  // namespace rethink
