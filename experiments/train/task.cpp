#include "experiments/train/task.h"

#include <ATen/ATen.h>

namespace rethink {
namespace {

/// In the names of parameters of a SharedAttentionState.
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

}  // namespace rethink
