// bfloat16 copies of hidden states. On a GPU the LayerNorm kernel writes each copy together with
// its result. Autocast would need one operator forward and one backward to make the same copy for
// the next linear layer. The bits are equal.
#pragma once

#include <ATen/core/Tensor.h>

#include "kernels/residual_layer_norm/residual_layer_norm.h"

namespace rethink {

/// While an object of this class exists, norms of its thread write copies for the linear layers
/// behind them, if autocast to bfloat16 is on for GPUs. Each pass through a model's layers has one
/// object.
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
  at::Tensor states_,
      copy_;  // result of the newest norm; the copy is undefined after linear_input() took it
};

/// Returns whether autocast currently computes matrix products on a GPU in bfloat16.
bool casts_to_bfloat16_on_gpu();

/// Returns residual_layer_norm of the arguments. linear_input() finds the copy until the next norm.
at::Tensor normalized_sum(const at::Tensor& input, const at::Tensor& residual,
                          const at::Tensor& weight, const at::Tensor& bias,
                          const ResidualLayerNormOptions& options);

/// Returns the copy of `input` if `input` is the newest norm's output, else `input`. With gradients
/// on, the copy is returned only once, since autograd would add several gradients of the copy in
/// bfloat16.
at::Tensor linear_input(const at::Tensor& input);

}  // namespace rethink
