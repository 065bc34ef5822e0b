#include "kernels/philox_uniform/philox_uniform.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <gtest/gtest.h>

#include "kernels/philox_uniform/open_uniform.h"

namespace rethink {
namespace {

TEST(PhiloxUniform, IsAFunctionOfKeyAndPosition) {
  const at::Tensor drawn = philox_uniform({3, 7}, {3, 9}, at::kCPU).flatten();
  ASSERT_EQ(drawn.scalar_type(), at::kFloat);
  for (int64_t i = 0; i < 21; ++i) {
    const PhiloxBlock block = philox({3, 9}, static_cast<uint64_t>(i / 4));
    EXPECT_EQ(drawn[i].item<float>(), open_uniform(block.word[i % 4])) << i;
  }
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
