// Tests that the bfloat16 copies of hidden states from LayerNorm give the bits of autocast, and
// that only the next linear layer gets them.
#include "models/tensors/bfloat16_states.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <optional>
#include <vector>

#include "experiments/train/device/device.h"
#include "models/tensors/linear.h"
#include "tests/fake_cuda/fake_device.h"

namespace rethink {
namespace {

using at::Tensor;

constexpr int64_t kRows = 6, kWidth = 16;

class HiddenStates : public testing::Test {
 protected:
  HiddenStates() {
    fake_device();
    at::manual_seed(1);
    for (Tensor* tensor : {&input_, &residual_}) *tensor = leaf({kRows, kWidth});
    for (Tensor* tensor : {&scale_, &shift_, &bias_}) *tensor = leaf({kWidth});
    weight_ = leaf({kWidth, kWidth});
  }
  static Tensor leaf(at::IntArrayRef sizes) {
    return at::randn(sizes).to(at::kCUDA).requires_grad_();
  }
  std::vector<Tensor> leaves() const { return {input_, residual_, scale_, shift_, weight_, bias_}; }

  /// Computes norm, product and norm, as in a sublayer of a transformer.
  Tensor states(const Tensor& input, const Tensor& residual) const {
    return normalized_sum(input, residual, scale_, shift_, {.dropout = 0.25, .key = {4, 5}});
  }
  Tensor output() const {
    const Tensor middle = states(input_, residual_);
    return states(linear(middle, weight_, bias_), middle);
  }

  Tensor input_, residual_, scale_, shift_, weight_, bias_;
  const PrecisionScope precision_{"bfloat16", at::kCUDA};
};

TEST_F(HiddenStates, HaveTheBitsOfAutocast) {
  std::vector<Tensor> results[2];
  for (const bool is_copied : {false, true}) {
    std::optional<Bfloat16States> copies;
    if (is_copied) copies.emplace();
    const Tensor result = output();
    result.square().sum().backward();
    results[is_copied].push_back(result);
    for (const Tensor& tensor : leaves()) {
      results[is_copied].push_back(tensor.grad());
      tensor.mutable_grad().reset();
    }
  }
  for (size_t i = 0; i < results[0].size(); ++i)
    EXPECT_TRUE(at::equal(results[0][i].to(at::kCPU), results[1][i].to(at::kCPU))) << i;
}

TEST_F(HiddenStates, AreCopiedForOneLinearLayerWhereGradientsAreMade) {
  const Bfloat16States copies;
  const Tensor made = states(input_, residual_);
  EXPECT_TRUE(linear_input(residual_).is_same(residual_)) << "of another tensor";
  EXPECT_EQ(linear_input(made).scalar_type(), at::kBFloat16);
  EXPECT_TRUE(linear_input(made).is_same(made)) << "its gradients would be added in bfloat16";
  const at::NoGradGuard no_gradient;
  const Tensor again = states(input_, residual_);
  for (int i = 0; i < 2; ++i) EXPECT_EQ(linear_input(again).scalar_type(), at::kBFloat16) << i;
}

TEST_F(HiddenStates, AreNotCopiedOutsideOfAPass) {
  Tensor made;
  {
    const Bfloat16States copies;
    made = states(input_, residual_);
  }
  EXPECT_TRUE(linear_input(made).is_same(made));
  const Tensor other = states(input_, residual_);
  EXPECT_TRUE(linear_input(other).is_same(other));
}

}  // namespace
}  // namespace rethink
