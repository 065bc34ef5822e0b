#include "kernels/bias_gelu/bias_gelu.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "kernels/reference.h"
#include "tests/support/error_ratio.h"

namespace rethink {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

at::Tensor fused_bias_gelu(const Tensors& in) {
  return bias_gelu(in[0], in[1]);
}

at::Tensor plain_bias_gelu(const Tensors& in) {
  return bias_gelu_reference(in[0], in[1]);
}

Tensors bias_gelu_inputs(const std::vector<int64_t>& sizes) {
  at::manual_seed(2);
  return {at::randn(sizes, at::kDouble) * 2.0, at::randn({sizes.back()}, at::kDouble)};
}

TEST(BiasGelu, IsAtMostTwiceAsWrongAsPlainLibTorch) {
  for (const std::vector<int64_t>& sizes :
       {std::vector<int64_t>{3, 128}, {5, 7, 97}, {2, 300}, {17, 3}, {40}, {500, 32}}) {
    for (const at::ScalarType dtype : {at::kFloat, at::kDouble})
      expect_error_within_twice(fused_bias_gelu, plain_bias_gelu, bias_gelu_inputs(sizes), dtype);
  }
}

TEST(BiasGelu, GradientsMatchCentralDifferences) {
  expect_gradients_match_differences(fused_bias_gelu, bias_gelu_inputs({4, 5}));
}

// The expected x Phi(x) and Phi(x) + x phi(x) come from the library's erfc, independent of both.
TEST(BiasGelu, IsExactToFloat32OverAllItsRange) {
  const at::Tensor x = at::linspace(-15, 15, 6001, at::kFloat).requires_grad_();
  const at::Tensor result = bias_gelu(x, at::zeros({6001}));
  result.sum().backward();
  for (int64_t i = 0; i < 6001; ++i) {
    const double at = x[i].item<double>(), below = 0.5 * std::erfc(-at * std::sqrt(0.5));
    const double density = std::exp(-0.5 * at * at) / std::sqrt(2 * M_PI);
    ASSERT_NEAR(result[i].item<double>(), at * below, 1e-7 * std::max(1.0, std::abs(at))) << at;
    ASSERT_NEAR(x.grad()[i].item<double>(), below + at * density, 3e-7) << at;
  }
}

TEST(BiasGelu, KeepsNaN) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float infinity = std::numeric_limits<float>::infinity();
  const at::Tensor result = bias_gelu(at::tensor({nan, infinity, 1e30f, -1e30f}), at::zeros({4}));
  EXPECT_TRUE(std::isnan(result[0].item<float>()));
  EXPECT_EQ(result[1].item<float>(), infinity);
  EXPECT_EQ(result[2].item<float>(), 1e30f);
  EXPECT_EQ(result[3].item<float>(), 0.0f);
}

TEST(BiasGelu, GivesTheSameBitsOnTwoThreads) {
  const int threads = at::get_num_threads();
  const Tensors once =
      result_and_gradients(fused_bias_gelu, bias_gelu_inputs({33, 21, 64}), at::kFloat);
  at::set_num_threads(2);
  const Tensors again =
      result_and_gradients(fused_bias_gelu, bias_gelu_inputs({33, 21, 64}), at::kFloat);
  at::set_num_threads(threads);
  for (size_t i = 0; i < once.size(); ++i) EXPECT_TRUE(at::equal(once[i], again[i])) << i;
}

TEST(BiasGelu, AcceptsNoRowsAndAnyStrides) {
  EXPECT_EQ(result_and_gradients(fused_bias_gelu, bias_gelu_inputs({0, 8}), at::kFloat)[0].numel(),
            0);
  const at::Tensor x = at::randn({6, 10}), bias = at::randn({6});
  EXPECT_TRUE(at::equal(bias_gelu(x.t(), bias), bias_gelu(x.t().contiguous(), bias)));
}

TEST(BiasGelu, SaysWhatIsWrongWithItsInput) {
  const auto says = [](const char* text) { return ThrowsMessage<c10::Error>(HasSubstr(text)); };
  const at::Tensor x = at::ones({2, 4});
  EXPECT_THAT([&] { bias_gelu(x, at::ones({3})); },
              says("bias must be [4] of Float, got [3] of Float"));
  EXPECT_THAT([&] { bias_gelu(x, at::ones({4}, at::kDouble)); },
              says("bias must be [4] of Float, got [4] of Double"));
  EXPECT_THAT([&] { bias_gelu(x.to(at::kLong), at::ones({4})); },
              says("input must be float32 or float64, got Long"));
}

}  // namespace
}  // namespace rethink
