// attention() by LibTorch's memory-efficient attention (Rabe and Staats, 2021; xFormers), called itself, since
// at::scaled_dot_product_attention prefers other kernels and falls back to plain math without a word.
//
// What that operator asks for (LibTorch 2.11, kernel_forward.h and kernel_backward.h of its mem_eff_attention): widths and
// strides that are multiples of 8, a bias of the query's dtype for every example, head, query and key, whose
// rows are 16 elements apart, and the log-sum-exp of the forward pass wherever anything, the bias too, needs
// a gradient. Its backward pass repeats where deterministic algorithms are on: keys are then not split
// among blocks.
#pragma once

#include <ATen/core/Tensor.h>

#include "kernels/attention/attention.h"

namespace rethink {

/// As attention(); which calls it takes attention_path.h says. Dropout draws from LibTorch's generator
/// of the device, not by `options.random`. Hidden is -inf, and a query that sees nothing gets zeros, as do
/// gradients of what it does not see; a key that is hidden must be finite. In bfloat16 the bias and each
/// example's gradient of the bias are rounded.
///
/// Memory: what hides keys and the bias become a tensor [1|B,1|H,1|Q,K], once for calls one after the other
/// that give the same ones, as the layers of a model do; the gradient of a bias is [B,H,Q,K].
at::Tensor library_attention(const at::Tensor& query, const at::Tensor& key,
                             const at::Tensor& value, const AttentionOptions& options);

}  // namespace rethink
