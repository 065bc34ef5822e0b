#include <ATen/ATen.h>

#include "kernels/philox_dropout/philox_dropout.h"
#include "kernels/residual_layer_norm/residual_layer_norm.h"

namespace rethink {

at::Tensor residual_layer_norm_reference(const at::Tensor& input, const at::Tensor& residual,
                                         const at::Tensor& weight, const at::Tensor& bias,
                                         const ResidualLayerNormOptions& options) {
  const at::Tensor sum = residual + philox_dropout_reference(input, options.dropout, options.key);
  const at::Tensor centred = sum - sum.mean(-1, /*keepdim=*/true);
  const at::Tensor variance = centred.square().mean(-1, /*keepdim=*/true);
  return centred * (variance + options.epsilon).rsqrt() * weight + bias;
}

}  // namespace rethink
