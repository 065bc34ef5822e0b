#include "kernels/philox_dropout/philox_dropout.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/philox.h"
#include "kernels/reference.h"
#include "tests/support/error_ratio.h"

namespace rethink {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

constexpr PhiloxKey kKey{0x123456789abcdef0u, 0xfedcba9876543210u};

const std::vector<std::vector<int64_t>> kSizes = {
    {}, {1}, {7}, {8}, {3, 5}, {2, 35}, {3, 128}, {2, 3, 97}, {5, 1000}, {2, 4096}};

TEST(PhiloxDropout, DropsWhatTheReferenceDrops) {
  at::manual_seed(1);
  for (const auto& sizes : kSizes) {
    for (const at::ScalarType dtype : {at::kFloat, at::kDouble, at::kBFloat16}) {
      const at::Tensor input = at::randn(sizes, at::kDouble).to(dtype);
      const at::Tensor ours = philox_dropout(input, 0.3, kKey);
      const at::Tensor reference = philox_dropout_reference(input, 0.3, kKey);
      EXPECT_TRUE(at::equal(ours == 0, reference == 0)) << input.sizes() << dtype;
      EXPECT_LE(worst_difference(ours, reference), dtype == at::kBFloat16 ? 0.05 : 1e-6)
          << input.sizes();
    }
  }
}

TEST(PhiloxDropout, IsAtMostTwiceAsWrongAsPlainLibTorch) {
  const Expression ours = [](const Tensors& in) { return philox_dropout(in[0], 0.1, kKey); };
  const Expression reference = [](const Tensors& in) {
    return philox_dropout_reference(in[0], 0.1, kKey);
  };
  for (const at::ScalarType dtype : {at::kFloat, at::kDouble, at::kBFloat16}) {
    expect_error_within_twice(ours, reference, {at::randn({9, 33}, at::kDouble)}, dtype);
  }
  expect_gradients_match_differences(ours, {at::randn({3, 5}, at::kDouble)});
}

TEST(PhiloxDropout, KeepsTheShareThatItShould) {
  const at::Tensor dropped = philox_dropout(at::ones({1 << 20}), 0.1, kKey);
  const double zeros = (dropped == 0).sum().item<double>() / (1 << 20);
  EXPECT_NEAR(zeros, 0.1, 0.0015);  // five standard deviations
  EXPECT_NEAR(dropped.mean().item<double>(), 1.0, 0.002);
}

TEST(PhiloxDropout, FollowsTheKeyAndNotTheThreads) {
  const at::Tensor input = at::ones({300, 257});
  const int threads = at::get_num_threads();
  const at::Tensor once = philox_dropout(input, 0.5, kKey);
  at::set_num_threads(2);
  EXPECT_TRUE(at::equal(philox_dropout(input, 0.5, kKey), once));
  at::set_num_threads(threads);
  EXPECT_FALSE(at::equal(philox_dropout(input, 0.5, {kKey.seed + 1, kKey.stream}), once));
  EXPECT_FALSE(at::equal(philox_dropout(input, 0.5, {kKey.seed, kKey.stream + 1}), once));
}

TEST(PhiloxDropout, ReadsTensorsThatAreNotContiguous) {
  const at::Tensor input = at::randn({12, 40});
  EXPECT_TRUE(at::equal(philox_dropout(input.t(), 0.4, kKey),
                        philox_dropout(input.t().contiguous(), 0.4, kKey)));
}

TEST(PhiloxDropout, GivesTheInputBackWhenNothingIsDropped) {
  const at::Tensor input = at::randn({4, 4});
  EXPECT_TRUE(philox_dropout(input, 0.0, kKey).is_same(input));
  EXPECT_EQ(philox_dropout(at::empty({0, 8}), 0.5, kKey).numel(), 0);
}

TEST(PhiloxDropout, SaysWhatIsWrongWithItsInput) {
  EXPECT_THAT([] { philox_dropout(at::ones({2}), 1.0, kKey); },
              ThrowsMessage<c10::Error>(HasSubstr("dropout's p must be in [0, 1), got 1")));
  EXPECT_THAT(
      [] { philox_dropout(at::ones({2}, at::kLong), 0.5, kKey); },
      ThrowsMessage<c10::Error>(HasSubstr("must be float32, float64 or bfloat16, got Long")));
}

}  // namespace
}  // namespace rethink
