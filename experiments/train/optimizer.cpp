#include "experiments/train/optimizer.h"

#include <ATen/ATen.h>

namespace rethink {
namespace {

std::vector<at::Tensor> gradients_of(const NamedTensors& parameters) {
  std::vector<at::Tensor> gradients;
  for (const auto& [name, parameter] : parameters) {
    if (parameter.grad().defined()) gradients.push_back(parameter.grad());
  }
  TORCH_CHECK(!gradients.empty(), "no parameter has a gradient");
  return gradients;
}

}  // namespace

OptimizerRegistry& optimizers() {
  static OptimizerRegistry registry("optimizer", "experiments/train/optimizers");
  return registry;
}

at::Tensor norm_of_all(const std::vector<at::Tensor>& tensors) {
  return at::linalg_vector_norm(at::stack(at::_foreach_norm(tensors, 2)), 2);
}

at::Tensor gradient_norm(const NamedTensors& parameters) {
  return norm_of_all(gradients_of(parameters));
}

at::Tensor clip_gradients(const NamedTensors& parameters, double limit) {
  const std::vector<at::Tensor> gradients = gradients_of(parameters);
  const at::Tensor norm = norm_of_all(gradients);
  // The epsilon of torch.nn.utils.clip_grad_norm_, so that results agree.
  at::_foreach_mul_(gradients, (limit / (norm + 1e-6)).clamp_max(1.0));
  return norm;
}

}  // namespace rethink
