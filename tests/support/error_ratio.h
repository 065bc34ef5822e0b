// Checks of fused operators. Compared with float64, the error may be at most twice the error of
// plain LibTorch in the same dtype. Autograd's gradients are compared with central differences.
#pragma once

#include <ATen/ATen.h>
#include <gtest/gtest.h>
#include <torch/csrc/autograd/variable.h>

#include <functional>
#include <vector>

#include "kernels/error_rule.h"

namespace rethink {

using Tensors = std::vector<at::Tensor>;
using Expression = std::function<at::Tensor(const Tensors&)>;

inline double worst_difference(const at::Tensor& a, const at::Tensor& b) {
  EXPECT_EQ(a.sizes(), b.sizes());
  return largest_difference(a, b);
}

/// Returns the result and the gradients of sum(result * fixed_upstream(result)).
inline Tensors result_and_gradients(const Expression& expression, const Tensors& inputs,
                                    at::ScalarType dtype) {
  Tensors leaves;
  for (const at::Tensor& input : inputs)
    leaves.push_back(input.detach().to(dtype).requires_grad_());
  const at::Tensor result = expression(leaves);
  result.backward(fixed_upstream(result).to(result.scalar_type()));
  Tensors all = {result.detach()};
  for (const at::Tensor& leaf : leaves) all.push_back(leaf.grad());
  return all;
}

/// Expects max|fused - f64 reference| within the limit of kernels/error_rule.h, for the result and
/// for each input's gradient.
inline void expect_error_within_twice(const Expression& fused, const Expression& reference,
                                      const Tensors& inputs, at::ScalarType dtype) {
  Tensors rounded;  // all three see the same numbers
  for (const at::Tensor& input : inputs) rounded.push_back(input.to(dtype));
  const Tensors exact = result_and_gradients(reference, rounded, at::kDouble);
  const Tensors plain = result_and_gradients(reference, rounded, dtype);
  const Tensors ours = result_and_gradients(fused, rounded, dtype);
  for (size_t i = 0; i < exact.size(); ++i) {
    EXPECT_LE(worst_difference(ours[i], exact[i]), allowed_error(plain[i], exact[i]))
        << (i == 0 ? "result" : "gradient of input " + std::to_string(i - 1)) << " in "
        << c10::toString(dtype) << "; plain LibTorch's error is "
        << worst_difference(plain[i], exact[i]);
  }
}

/// Compares autograd's gradients with central differences, in float64, at every element.
inline void expect_gradients_match_differences(const Expression& expression,
                                               const Tensors& inputs) {
  const Tensors ours = result_and_gradients(expression, inputs, at::kDouble);
  const auto objective = [&](const Tensors& at_point) {
    const at::Tensor result = expression(at_point);
    return (result * fixed_upstream(result)).sum().item<double>();
  };
  const double step = 1e-5;
  for (size_t i = 0; i < inputs.size(); ++i) {
    const at::Tensor gradient = ours[i + 1].contiguous().view(-1);
    for (int64_t element = 0; element < gradient.numel(); ++element) {
      double slope = 0.0;
      for (const double direction : {1.0, -1.0}) {
        Tensors moved = inputs;
        moved[i] = inputs[i].clone().contiguous();
        moved[i].view(-1)[element] += direction * step;
        slope += direction * objective(moved) / (2 * step);
      }
      EXPECT_NEAR(gradient[element].item<double>(), slope, 1e-7)
          << "input " << i << ", element " << element;
    }
  }
}

}  // namespace rethink
