// The operators behind attention(), which every device implements: attention.cpp (with the schemas)
// for the CPU, attention_cuda.cpp for GPUs.
#pragma once

#include <ATen/ATen.h>
#include <torch/custom_class.h>

#include <optional>
#include <tuple>

#include "kernels/attention/attention_rule.h"

namespace rethink {

using MaybeTensor = std::optional<at::Tensor>;

/// An attention rule as arguments that operators of LibTorch accept.
struct AttentionRuleHolder : torch::CustomClassHolder {
  explicit AttentionRuleHolder(const AttentionRule<double>& given) : rule(given) {}
  const AttentionRule<double> rule;
};
using HeldRule = c10::intrusive_ptr<AttentionRuleHolder>;

/// Returns output and statistics of attention. The statistics are each row's highest score, and 1 /
/// (sum of exp(score - highest)), or 0 without a visible key.
///
/// query       float [B,H,Q,E]
/// key, value  float [B,H,K,E]  query's dtype
/// key_keep    bool [B,K]       contiguous
/// mask        u8 [1|H,Q,K]     contiguous
/// bias        float [1|H,Q,K]  contiguous; float64 with a float64 query, else float32
/// returns     output float [B,H,Q,E], in memory [B,Q,H,E]; statistics [B,H,Q,2] in bias's dtype
///
/// Requires: the caller has checked all shapes and dtypes.
using AttentionForward = std::tuple<at::Tensor, at::Tensor>(
    const at::Tensor& query, const at::Tensor& key, const at::Tensor& value,
    const MaybeTensor& key_keep, const MaybeTensor& mask, const MaybeTensor& bias,
    const HeldRule& rule);

/// Returns the gradients of query, key and value, and the gradient of the bias [1|H,Q,K] if
/// `bias_grad` is set, else an empty tensor.
using AttentionBackward = std::tuple<at::Tensor, at::Tensor, at::Tensor, at::Tensor>(
    const at::Tensor& grad, const at::Tensor& query, const at::Tensor& key, const at::Tensor& value,
    const at::Tensor& output, const at::Tensor& statistics, const MaybeTensor& key_keep,
    const MaybeTensor& mask, const MaybeTensor& bias, bool bias_grad, const HeldRule& rule);

/// Returns an empty float [B,H,T,E] with the memory layout [B,T,H,E], from which joining the heads
/// needs no copy.
inline at::Tensor empty_joined(const at::Tensor& like) {
  return at::empty({like.size(0), like.size(2), like.size(1), like.size(3)}, like.options())
      .transpose(1, 2);
}

}  // namespace rethink
