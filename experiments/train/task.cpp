#include "experiments/train/task.h"

#include <ATen/ATen.h>

namespace rethink {
namespace {

/// Begins the names of parameters of a SharedAttentionState.
constexpr const char* kSharedMask = "shared_";

}  // namespace

Batch on_device(const Batch& batch, const at::Device& device) {
  Batch moved = batch;
  for (auto& [name, tensor] : moved.columns) tensor = tensor.to(device, /*non_blocking=*/true);
  return moved;
}

std::vector<ParameterGroup> Task::parameter_groups() {
  ParameterGroup weights, masks{.parameters = {}, .decays = false};
  for (const auto& item : model().named_parameters()) {
    const bool is_mask = item.key().find(kSharedMask) != std::string::npos;
    (is_mask ? masks : weights).parameters.emplace_back(item.key(), item.value());
  }
  return {weights, masks};
}

Recorder Task::look_at(const Batch& batch) {
  const at::NoGradGuard no_gradient;
  const bool was_training = model().is_training();
  model().eval();
  keeps_maps_ = true;
  Recorder record = loss(batch, {}).record;
  keeps_maps_ = false;
  model().train(was_training);
  return record;
}

}  // namespace rethink
