// Tests that the rule of tests/support/error_ratio.h itself finds the errors for which it exists.
#include "tests/support/error_ratio.h"

#include <ATen/ATen.h>
#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

#include "kernels/cross_entropy/cross_entropy.h"
#include "kernels/reference.h"

namespace rethink {
namespace {

at::Tensor targets() {
  return at::arange(6).mul(5);
}

Tensors scores() {
  at::manual_seed(7);
  return {at::randn({6, 1000}, at::kDouble) * 3.0};
}

at::Tensor plain_losses(const Tensors& in) {
  return cross_entropy_reference(in[0], targets());
}

/// Returns an expression that is right except for its gradient, which is too large by this share.
Expression with_gradient_off_by(double share) {
  return [=](const Tensors& in) {
    const at::Tensor passed_on = in[0] * 1.0;
    passed_on.register_hook([=](const at::Tensor& gradient) { return gradient * (1.0 + share); });
    return cross_entropy_sum(passed_on, targets());
  };
}

/// Returns an expression that is right except for the result, which is too large by this share.
Expression with_result_off_by(double share) {
  return [=](const Tensors& in) {
    const at::Tensor sum = cross_entropy_sum(in[0], targets());
    return sum + share * sum.detach();
  };
}

TEST(ErrorRule, LetsTheOperatorItselfPass) {
  for (const at::ScalarType dtype : {at::kFloat, at::kDouble})
    expect_error_within_twice(with_gradient_off_by(0.0), plain_losses, scores(), dtype);
}

TEST(ErrorRule, SeesThreeMillionthsInTheGradientOfASum) {
  EXPECT_NONFATAL_FAILURE(
      expect_error_within_twice(with_gradient_off_by(3e-6), plain_losses, scores(), at::kFloat),
      "gradient of input 0 in Float");
  EXPECT_NONFATAL_FAILURE(
      expect_error_within_twice(with_gradient_off_by(1e-13), plain_losses, scores(), at::kDouble),
      "gradient of input 0 in Double");
}

TEST(ErrorRule, SeesThreeMillionthsInTheResult) {
  EXPECT_NONFATAL_FAILURE(
      expect_error_within_twice(with_result_off_by(3e-6), plain_losses, scores(), at::kFloat),
      "result in Float");
}

// The same share is the limit for numbers of any size.
TEST(ErrorRule, FollowsTheSizeOfTheNumbers) {
  for (const double size : {1e-6, 1.0, 1e6}) {
    const at::Tensor exact = at::full({3}, size, at::kDouble), ours = exact.to(at::kFloat);
    EXPECT_LT(allowed_error(ours, exact), 1e-6 * size);
    EXPECT_GT(allowed_error(ours, exact), 1e-7 * size);
  }
}

TEST(ErrorRule, CentralDifferencesSeeAWrongGradientOfASum) {
  const Expression wrong = [](const Tensors& in) { return (in[0] * in[0].detach()).sum(); };
  EXPECT_NONFATAL_FAILURE(
      expect_gradients_match_differences(wrong, {at::full({1}, 2.0, at::kDouble)}), "element 0");
}

}  // namespace
}  // namespace rethink
