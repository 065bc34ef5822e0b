#include "experiments/train/optimizer.h"

#include <ATen/ATen.h>

namespace rethink {

OptimizerRegistry& optimizers() {
  static OptimizerRegistry registry("optimizer", "experiments/train/optimizers");
  return registry;
}

at::Tensor clip_gradients(const NamedTensors& parameters, double limit) {
  std::vector<at::Tensor> gradients;
  for (const auto& [name, parameter] : parameters) {
    if (parameter.grad().defined()) gradients.push_back(parameter.grad());
  }
  TORCH_CHECK(!gradients.empty(), "no parameter has a gradient");
  const at::Tensor norm = at::linalg_vector_norm(at::stack(at::_foreach_norm(gradients, 2)), 2);
  // The small number is torch.nn.utils.clip_grad_norm_'s, so that numbers compare.
  at::_foreach_mul_(gradients, (limit / (norm + 1e-6)).clamp_max(1.0));
  return norm;
}

}  // namespace rethink
