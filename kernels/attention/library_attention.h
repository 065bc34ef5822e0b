// attention() by LibTorch's memory-efficient attention (Rabe and Staats, 2021; xFormers). It is
// called directly, since at::scaled_dot_product_attention prefers other kernels and silently falls
// back to plain math.
//
// Requirements of the operator (LibTorch 2.11, kernel_forward.h and kernel_backward.h of its
// mem_eff_attention):
// - widths and strides are multiples of 8;
// - the bias has the query's dtype, an element for each example, head, query and key, and rows that
//   start at multiples of 16 elements;
// - the forward pass returns the log-sum-exp if any gradient is needed, the bias's included.
// With deterministic algorithms its backward pass is reproducible: keys are then not split among
// blocks.
#pragma once

#include <ATen/core/Tensor.h>

#include "kernels/attention/attention.h"

namespace rethink {

/// Returns attention() of the arguments, for calls that attention_path.h assigns to the library.
/// Dropout draws from LibTorch's generator of the device, not from `options.random`. Hidden scores
/// are -inf. A query that sees no key gets zeros, and hidden keys get zero gradients; hidden keys
/// must be finite. In bfloat16 the bias and each example's gradient of the bias are rounded.
///
/// Memory: masks, padding and bias become one tensor [1|B,1|H,1|Q,K]. Consecutive calls with the
/// same masks and bias, such as the layers of a model, share the tensor. The gradient of a bias is
/// [B,H,Q,K].
at::Tensor library_attention(const at::Tensor& query, const at::Tensor& key,
                             const at::Tensor& value, const AttentionOptions& options);

}  // namespace rethink
