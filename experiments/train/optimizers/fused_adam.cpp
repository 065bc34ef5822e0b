#include "experiments/train/optimizers/fused_adam.h"

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>

#include <map>

#include "experiments/train/state.h"

namespace rethink {

FusedAdam::FusedAdam(const FusedAdamOptions& options, const std::vector<ParameterGroup>& groups)
    : options_(options) {
  for (const ParameterGroup& group : groups) {
    for (const auto& [name, parameter] : group.parameters) {
      Slot slot;
      slot.name = name;
      slot.parameter = parameter;
      slot.mean = at::zeros_like(parameter);
      slot.square = at::zeros_like(parameter);
      if (options_.amsgrad) slot.largest_square = at::zeros_like(parameter);
      slot.steps = at::zeros({}, parameter.options().dtype(at::kFloat));
      slot.lr = group.lr.value_or(options_.lr);
      const bool decays = group.decays && (options_.decay_vectors || parameter.dim() > 1);
      slot.weight_decay = decays ? options_.weight_decay : 0.0;
      slots_.push_back(std::move(slot));
    }
  }
}

void FusedAdam::step(double factor) {
  std::map<std::pair<double, double>, std::vector<const Slot*>> alike;
  for (const Slot& slot : slots_) {
    if (slot.parameter.grad().defined()) alike[{slot.lr, slot.weight_decay}].push_back(&slot);
  }
  for (const auto& [rates, slots] : alike) update(slots, rates.first * factor, rates.second);
}

void FusedAdam::update(const std::vector<const Slot*>& slots, double lr, double weight_decay) {
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
  at::_foreach_add_(steps, 1);  // the fused kernels do not count steps
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
