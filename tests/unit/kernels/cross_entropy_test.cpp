#include "kernels/cross_entropy/cross_entropy.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "kernels/reference.h"
#include "tests/support/error_ratio.h"

namespace rethink {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

at::Tensor scores_of(int64_t rows, int64_t words) {
  at::manual_seed(7);
  return at::randn({rows, words}, at::kDouble) * 3.0;
}

at::Tensor targets_of(int64_t rows, int64_t words) {
  return at::arange(rows).mul(5).remainder(words);
}

Expression fused_cross_entropy(const at::Tensor& targets) {
  return [=](const Tensors& in) { return cross_entropy_sum(in[0], targets); };
}

Expression plain_cross_entropy(const at::Tensor& targets) {
  return [=](const Tensors& in) { return cross_entropy_reference(in[0], targets); };
}

TEST(CrossEntropy, IsAtMostTwiceAsWrongAsPlainLibTorch) {
  for (const int64_t words : {1, 2, 15, 16, 17, 1000, 30522}) {
    const at::Tensor targets = targets_of(6, words);
    for (const at::ScalarType dtype : {at::kFloat, at::kDouble})
      expect_error_within_twice(fused_cross_entropy(targets), plain_cross_entropy(targets),
                                {scores_of(6, words)}, dtype);
  }
}

TEST(CrossEntropy, GradientsMatchCentralDifferences) {
  expect_gradients_match_differences(fused_cross_entropy(targets_of(3, 7)), {scores_of(3, 7)});
}

TEST(CrossEntropy, LeavesTheGradientInTheScores) {
  const at::Tensor scores = scores_of(5, 37).to(at::kFloat), targets = targets_of(5, 37);
  const at::Tensor expected = scores.softmax(1);
  for (int64_t row = 0; row < 5; ++row) expected[row][targets[row]] -= 1.0;
  const at::Tensor log_softmax = scores.log_softmax(1);
  const at::Tensor losses = cross_entropy_gradient_(scores, targets);
  EXPECT_LT(worst_difference(scores, expected), 1e-6);
  for (int64_t row = 0; row < 5; ++row)
    EXPECT_NEAR(losses[row].item<double>(), -log_softmax[row][targets[row]].item<double>(), 1e-5);
}

TEST(CrossEntropy, IsStableForScoresFarFromZero) {
  const at::Tensor scores = at::tensor({1e4f, -1e4f, 1e4f}).view({1, 3});
  EXPECT_NEAR(cross_entropy_sum(scores, at::zeros({1}, at::kLong)).item<double>(), std::log(2.0),
              1e-6);
  EXPECT_NEAR(cross_entropy_sum(scores, at::ones({1}, at::kLong)).item<double>(),
              2e4 + std::log(2.0), 1e-2);
}

TEST(CrossEntropy, PassesNanOn) {
  at::Tensor scores = scores_of(2, 20).to(at::kFloat);
  scores[1][3] = std::nan("");
  EXPECT_TRUE(std::isnan(cross_entropy_sum(scores, targets_of(2, 20)).item<double>()));
}

TEST(CrossEntropy, GivesTheSameBitsOnTwoThreads) {
  const Tensors scores = {scores_of(64, 2000)};
  const Expression ours = fused_cross_entropy(targets_of(64, 2000));
  const int threads = at::get_num_threads();
  const Tensors once = result_and_gradients(ours, scores, at::kFloat);
  at::set_num_threads(2);
  const Tensors again = result_and_gradients(ours, scores, at::kFloat);
  at::set_num_threads(threads);
  for (size_t i = 0; i < once.size(); ++i) EXPECT_TRUE(at::equal(once[i], again[i])) << i;
}

TEST(CrossEntropy, SaysWhatIsWrongWithItsInput) {
  const auto call = [](const at::Tensor& scores, const at::Tensor& targets) {
    return [=] { cross_entropy_gradient_(scores.clone(), targets); };
  };
  const auto says = [](const char* text) { return ThrowsMessage<c10::Error>(HasSubstr(text)); };
  const at::Tensor scores = at::zeros({2, 3});
  EXPECT_THAT(call(at::zeros({3}), at::zeros({3}, at::kLong)),
              says("scores must be [N,V] in one piece, got [3]"));
  EXPECT_THAT(call(scores.to(at::kInt), at::zeros({2}, at::kLong)),
              says("scores must be float32 or float64, got Int"));
  EXPECT_THAT(call(scores, at::zeros({3}, at::kLong)),
              says("targets must be i64 [N] = [2], got Long [3]"));
  EXPECT_THAT(call(scores, at::full({2}, 3, at::kLong)), says("targets must be in [0, 3), got 3"));
}

}  // namespace
}  // namespace rethink
