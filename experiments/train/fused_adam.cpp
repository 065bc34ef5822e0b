#include "experiments/train/fused_adam.h"

#include <ATen/ATen.h>

#include "experiments/train/state.h"

namespace rethink {

FusedAdam::FusedAdam(const FusedAdamOptions& options, const NamedTensors& parameters)
    : options_(options) {
  for (const auto& [name, parameter] : parameters) {
    Slot slot;
    slot.name = name;
    slot.parameter = parameter;
    slot.mean = at::zeros_like(parameter);
    slot.square = at::zeros_like(parameter);
    if (options_.amsgrad) slot.largest_square = at::zeros_like(parameter);
    slot.steps = at::zeros({}, parameter.options().dtype(at::kFloat));
    slots_.push_back(std::move(slot));
  }
}

void FusedAdam::step(double factor) {
  std::vector<const Slot*> with_decay, without_decay;
  for (const Slot& slot : slots_) {
    if (!slot.parameter.grad().defined()) continue;
    const bool decays = options_.decay_vectors || slot.parameter.dim() > 1;
    (decays ? with_decay : without_decay).push_back(&slot);
  }
  update(with_decay, options_.lr * factor, options_.weight_decay);
  update(without_decay, options_.lr * factor, 0.0);
}

void FusedAdam::update(const std::vector<const Slot*>& slots, double lr, double weight_decay) {
  if (slots.empty()) return;
  const at::NoGradGuard no_gradient;
  std::vector<at::Tensor> parameters, gradients, means, squares, largest_squares, steps;
  for (const Slot* slot : slots) {
    parameters.push_back(slot->parameter);
    gradients.push_back(slot->parameter.grad());
    means.push_back(slot->mean);
    squares.push_back(slot->square);
    if (options_.amsgrad) largest_squares.push_back(slot->largest_square);
    steps.push_back(slot->steps);
  }
  at::_foreach_add_(steps, 1);  // the fused kernels leave that to their caller
  const auto fused = [&](auto operation) {
    operation(parameters, gradients, means, squares, largest_squares, steps, lr, options_.beta1,
              options_.beta2, weight_decay, options_.eps, options_.amsgrad, /*maximize=*/false,
              std::nullopt, std::nullopt);
  };
  if (options_.decoupled) {
    fused([](auto&&... arguments) { at::_fused_adamw_(arguments...); });
  } else {
    fused([](auto&&... arguments) { at::_fused_adam_(arguments...); });
  }
}

void FusedAdam::visit(State& state) {
  for (Slot& slot : slots_) {
    state.tensor("optimizer/mean/" + slot.name, slot.mean);
    state.tensor("optimizer/square/" + slot.name, slot.square);
    if (options_.amsgrad)
      state.tensor("optimizer/largest_square/" + slot.name, slot.largest_square);
    state.tensor("optimizer/steps/" + slot.name, slot.steps);
  }
}

}  // namespace rethink
