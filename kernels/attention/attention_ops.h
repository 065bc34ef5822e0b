// The operators behind attention(), as every device implements them (schema: attention.cpp).
// Implemented in attention.cpp and attention_cuda.cpp.
#pragma once

#include <ATen/ATen.h>
#include <torch/custom_class.h>

#include <optional>
#include <tuple>

#include "kernels/attention/attention_rule.h"

namespace rethink {

using MaybeTensor = std::optional<at::Tensor>;

/// A rule in a form that an operator may take.
struct AttentionRuleHolder : torch::CustomClassHolder {
  explicit AttentionRuleHolder(const AttentionRule<double>& given) : rule(given) {}
  const AttentionRule<double> rule;
};
using HeldRule = c10::intrusive_ptr<AttentionRuleHolder>;

/// query [B,H,Q,E], key, value [B,H,K,E] float of one dtype; key_keep bool [B,K], mask u8 [1|H,Q,K]
/// and bias [1|H,Q,K] (float64 for float64, else float32), contiguous; all checked. Returns output
/// float [B,H,Q,E], laid out in memory as [B,Q,H,E], and statistics [B,H,Q,2] of the bias's dtype:
/// each row's highest score, and 1 / (sum of exp(score - highest)), 0 where nothing is visible.
using AttentionForward = std::tuple<at::Tensor, at::Tensor>(
    const at::Tensor& query, const at::Tensor& key, const at::Tensor& value,
    const MaybeTensor& key_keep, const MaybeTensor& mask, const MaybeTensor& bias,
    const HeldRule& rule);

/// Returns the gradients of query, key and value, and of the bias [1|H,Q,K] if `bias_grad`, else an
/// empty tensor.
using AttentionBackward = std::tuple<at::Tensor, at::Tensor, at::Tensor, at::Tensor>(
    const at::Tensor& grad, const at::Tensor& query, const at::Tensor& key, const at::Tensor& value,
    const at::Tensor& output, const at::Tensor& statistics, const MaybeTensor& key_keep,
    const MaybeTensor& mask, const MaybeTensor& bias, bool bias_grad, const HeldRule& rule);

/// float [B,H,T,E] in memory as [B,T,H,E]: what joining the heads again takes for free.
inline at::Tensor empty_joined(const at::Tensor& like) {
  return at::empty({like.size(0), like.size(2), like.size(1), like.size(3)}, like.options())
      .transpose(1, 2);
}

}  // namespace rethink
