#include "experiments/train/device/gradient_sums.h"

#include <ATen/ATen.h>

#include <unordered_map>

#include "models/tensors/bfloat16_weights.h"

namespace rethink {
namespace {

/// Gradients of the bfloat16 copies, in float32, by weight.
std::unordered_map<const void*, at::Tensor> widened_gradients(Bfloat16Weights* weights) {
  std::unordered_map<const void*, at::Tensor> widened;
  if (!weights) return widened;
  std::vector<at::Tensor> into, from;
  for (const auto& [weight, gradient] : weights->take_gradients()) {
    into.push_back(at::empty_like(weight));
    from.push_back(gradient);
    widened.emplace(weight.unsafeGetTensorImpl(), into.back());
  }
  if (!into.empty()) at::_foreach_copy_(into, from);
  return widened;
}

}  // namespace

void GradientSums::add_batch() {
  const at::NoGradGuard no_gradient;
  auto widened = widened_gradients(weights_);
  sums_.resize(parameters_.size());
  std::vector<at::Tensor> sums, more;
  for (size_t i = 0; i < parameters_.size(); ++i) {
    at::Tensor parameter = parameters_[i].second;
    at::Tensor gradient = parameter.grad();
    parameter.mutable_grad().reset();
    const auto of_copy = widened.find(parameter.unsafeGetTensorImpl());
    if (of_copy != widened.end())
      gradient = gradient.defined() ? gradient + of_copy->second : of_copy->second;
    if (!gradient.defined()) continue;
    if (!sums_[i].defined()) {
      sums_[i] = gradient;
    } else {
      sums.push_back(sums_[i]);
      more.push_back(gradient);
    }
  }
  if (!sums.empty()) at::_foreach_add_(sums, more);
}

void GradientSums::finish() {
  for (size_t i = 0; i < sums_.size(); ++i) {
    at::Tensor parameter = parameters_[i].second;
    parameter.mutable_grad() = sums_[i];
  }
}

}  // namespace rethink
