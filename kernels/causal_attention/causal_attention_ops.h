// The operators behind causal_attention(), as every device implements them (schema:
// causal_attention.cpp).
#pragma once

#include <ATen/core/Tensor.h>

#include <tuple>

namespace rethink {

/// query, key, value float [B,H,T,E] of one dtype, checked; seed and offset hold the bits of
/// unsigned numbers. returns output float [B,H,T,E], laid out in memory as [B,T,H,E], and logsumexp
/// [B,H,T] of each row of scores.
using CausalAttentionForward = std::tuple<at::Tensor, at::Tensor>(
    const at::Tensor& query, const at::Tensor& key, const at::Tensor& value, double scale,
    double diagonal_rate, bool diagonal_masked, double dropout, int64_t seed, int64_t offset);

/// returns the gradients of query, key and value.
using CausalAttentionBackward = std::tuple<at::Tensor, at::Tensor, at::Tensor>(
    const at::Tensor& grad, const at::Tensor& query, const at::Tensor& key, const at::Tensor& value,
    const at::Tensor& output, const at::Tensor& logsumexp, double scale, double diagonal_rate,
    bool diagonal_masked, double dropout, int64_t seed, int64_t offset);

}  // namespace rethink
