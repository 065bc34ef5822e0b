#include "kernels/philox_uniform/philox_uniform.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <gtest/gtest.h>

#include "kernels/philox_uniform/open_uniform.h"
#include "kernels/reference.h"
#include "tests/support/error_ratio.h"

namespace rethink {
namespace {

TEST(PhiloxUniform, IsAFunctionOfKeyAndPosition) {
  for (const PhiloxKey key : {PhiloxKey{3, 9}, PhiloxKey{~uint64_t{0}, 1}}) {
    const at::Tensor drawn = philox_uniform({3, 7}, key, at::kCPU);
    EXPECT_TRUE(at::equal(drawn, philox_uniform_reference({3, 7}, key)));
  }
}

TEST(PhiloxUniform, ActsAsAConstantInGradients) {
  const Expression ours = [](const Tensors& in) {
    return in[0] * philox_uniform(in[0].sizes(), {3, 9}, at::kCPU);
  };
  const Expression plain = [](const Tensors& in) {
    return in[0] * philox_uniform_reference(in[0].sizes(), {3, 9});
  };
  at::manual_seed(7);
  const Tensors inputs = {at::randn({4, 5}, at::kDouble)};
  for (const at::ScalarType dtype : {at::kFloat, at::kDouble})
    expect_error_within_twice(ours, plain, inputs, dtype);
  expect_gradients_match_differences(ours, inputs);
}

TEST(PhiloxUniform, IsTheSameOnTwoThreads) {
  const int threads = at::get_num_threads();
  const at::Tensor once = philox_uniform({100003}, {1, 2}, at::kCPU);
  at::set_num_threads(2);
  const at::Tensor again = philox_uniform({100003}, {1, 2}, at::kCPU);
  at::set_num_threads(threads);
  EXPECT_TRUE(at::equal(once, again));
}

TEST(PhiloxUniform, LiesBetweenZeroAndOne) {
  EXPECT_GT(open_uniform(0), 0.0f);
  EXPECT_LT(open_uniform(0xFFFFFFFFu), 1.0f);
  const at::Tensor drawn = philox_uniform({100000}, {5, 6}, at::kCPU);
  EXPECT_NEAR(drawn.mean().item<double>(), 0.5, 0.005);
  EXPECT_NEAR(drawn.var().item<double>(), 1.0 / 12, 0.002);
}

TEST(PhiloxUniform, TakesNoNumbers) {
  EXPECT_EQ(philox_uniform({0}, {1, 2}, at::kCPU).numel(), 0);
}

}  // namespace
}  // namespace rethink
