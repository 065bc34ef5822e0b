// Reference implementations of the operators in plain LibTorch, for any width and dtype. Tests and
// the self-check compare the kernels with them. Arguments and results are those of the operators
// with the same names.
#pragma once

#include <ATen/core/Tensor.h>

#include "core/philox.h"
#include "kernels/attention/attention.h"
#include "kernels/residual_layer_norm/residual_layer_norm.h"

namespace rethink {

/// Returns dropout's factors of a tensor of `sizes`: float64 [sizes] on the CPU, each 0 or 1 /
/// (share kept).
at::Tensor philox_dropout_factors(at::IntArrayRef sizes, double p, PhiloxKey key);
at::Tensor philox_dropout_reference(const at::Tensor& input, double p, PhiloxKey key);

/// Returns uniform numbers on the CPU.
at::Tensor philox_uniform_reference(at::IntArrayRef sizes, PhiloxKey key);

at::Tensor attention_reference(const at::Tensor& query, const at::Tensor& key,
                               const at::Tensor& value, const AttentionOptions& options);

at::Tensor bias_gelu_reference(const at::Tensor& input, const at::Tensor& bias);

at::Tensor cross_entropy_reference(const at::Tensor& scores, const at::Tensor& targets);

at::Tensor residual_layer_norm_reference(const at::Tensor& input, const at::Tensor& residual,
                                         const at::Tensor& weight, const at::Tensor& bias,
                                         const ResidualLayerNormOptions& options);

at::Tensor transposed_reference(const at::Tensor& matrix);

}  // namespace rethink
