#include "models/tensors/cross_entropy.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include "tests/support/error_ratio.h"

namespace rethink {
namespace {

/// With 8,000 classes in bfloat16 the logarithm of the sum would have steps of 1/16.
TEST(CrossEntropy, LosesNothingBeyondTheRoundingOfItsLogits) {
  at::manual_seed(4);
  const at::Tensor logits = at::randn({50, 8000}).to(at::kBFloat16).requires_grad_();
  const at::Tensor targets = at::randint(8000, {50}, at::kLong);
  const at::Tensor exact =
      -logits.detach().to(at::kDouble).log_softmax(1).gather(1, targets.unsqueeze(1)).squeeze(1);
  const at::Tensor losses = cross_entropy(logits, targets, at::Reduction::None);
  EXPECT_EQ(losses.scalar_type(), at::kFloat);
  EXPECT_LT(worst_difference(losses.to(at::kDouble), exact), 1e-5);
  losses.sum().backward();
  EXPECT_EQ(logits.grad().scalar_type(), at::kBFloat16);
}

TEST(CrossEntropy, KeepsFloat64AndPassesOnWhatIsIgnoredAndSmoothed) {
  at::manual_seed(5);
  const at::Tensor logits = at::randn({4, 6}, at::kDouble);
  const at::Tensor targets = at::tensor({1, 5, 0, 2}, at::kLong);
  const at::Tensor scores = logits.log_softmax(1);
  at::Tensor expected = at::zeros({}, at::kDouble);
  for (const int64_t row : {0, 1, 3}) {
    expected -= 0.7 * scores[row][targets[row].item<int64_t>()] + 0.3 * scores[row].mean();
  }
  const at::Tensor loss =
      cross_entropy(logits, targets, at::Reduction::Sum, /*ignored=*/0, /*label_smoothing=*/0.3);
  EXPECT_EQ(loss.scalar_type(), at::kDouble);
  EXPECT_LT(worst_difference(loss, expected), 1e-12);
}

}  // namespace
}  // namespace rethink
