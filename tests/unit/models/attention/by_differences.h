// Checks of attention's gradients against central differences in float64, shared by the tests of
// single variants.
#pragma once

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "core/json_fwd.h"
#include "kernels/error_rule.h"
#include "tests/support/error_ratio.h"
#include "tests/unit/models/attention/by_hand.h"

namespace rethink::by_hand {

/// Compares autograd's gradients of `input`, a leaf, and of every parameter with central differences.
/// Large tensors are compared at about twenty elements.
inline void expect_gradients(Attention& attention, const at::Tensor& input,
                             const std::function<at::Tensor()>& objective) {
  attention.zero_grad();
  objective().backward();
  const auto expect_slopes = [&](const std::string& name, const at::Tensor& leaf) {
    const at::Tensor gradient = leaf.grad().defined() ? leaf.grad() : at::zeros_like(leaf);
    const at::Tensor elements = leaf.detach().view(-1);
    const double step = 1e-5;
    const int64_t every = std::max<int64_t>(1, leaf.numel() / 20);
    for (int64_t i = 0; i < leaf.numel(); i += every) {
      const double value = elements[i].item<double>();
      const auto at_value = [&](double moved) {
        elements[i].fill_(moved);
        return objective().item<double>();
      };
      const double slope = (at_value(value + step) - at_value(value - step)) / (2 * step);
      elements[i].fill_(value);
      EXPECT_NEAR(gradient.reshape(-1)[i].item<double>(), slope, 1e-7) << name << ", " << i;
    }
  };
  expect_slopes("input", input);
  for (const auto& parameter : attention.named_parameters())
    expect_slopes(parameter.key(), parameter.value());
}

inline void expect_gradients(Attention& attention, const Seen& seen) {
  const at::Tensor input = seen.input.clone().requires_grad_();
  expect_gradients(attention, input, [&] {
    const at::Tensor output = attention.forward(seen.call(input));
    return (output * fixed_upstream(output)).sum();
  });
}

/// Compares gradients of a causal variant with these options, and of one whose sequences have padding.
inline void expect_gradients(const std::string& name, const Json& options) {
  auto attention = make_perturbed(name, options);
  const std::vector<Seen> all = situations();
  expect_gradients(*attention, all.front());
  expect_gradients(*attention, all.back());
}

}  // namespace rethink::by_hand
