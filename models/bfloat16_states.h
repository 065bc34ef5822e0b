// Copies in bfloat16 of hidden states, which the kernel of LayerNorm writes beside them on a GPU. Autocast would
// make one for the linear layer that follows, by an operator forward and one backward. The bits are autocast's.
#pragma once

#include <ATen/core/Tensor.h>

#include "kernels/residual_layer_norm/residual_layer_norm.h"

namespace rethink {

/// While it lives, norms of this thread make copies for the linear layers that follow them, where autocast
/// to bfloat16 is on for GPUs. A pass through a model's layers has one.
class Bfloat16States {
 public:
  Bfloat16States();
  ~Bfloat16States();
  Bfloat16States(const Bfloat16States&) = delete;
  Bfloat16States& operator=(const Bfloat16States&) = delete;

 private:
  friend at::Tensor normalized_sum(const at::Tensor& input, const at::Tensor& residual,
                                   const at::Tensor& weight, const at::Tensor& bias,
                                   const ResidualLayerNormOptions& options);
  friend at::Tensor linear_input(const at::Tensor& input);

  Bfloat16States* const outer_;
  at::Tensor states_, copy_;  // of the newest norm; the copy undefined once it is taken
};

/// Whether products of tensors on a GPU are made in bfloat16 now.
bool casts_to_bfloat16_on_gpu();

/// residual_layer_norm, whose copy linear_input() finds until the next norm.
at::Tensor normalized_sum(const at::Tensor& input, const at::Tensor& residual,
                          const at::Tensor& weight, const at::Tensor& bias,
                          const ResidualLayerNormOptions& options);

/// What a linear layer multiplies: the copy of `input`, where `input` is the newest norm's output, else
/// `input`. Where gradients are made the copy is given once: autograd would add several gradients of it
/// in bfloat16.
at::Tensor linear_input(const at::Tensor& input);

}  // namespace rethink
