#include "experiments/train/task.h"

#include <ATen/ATen.h>

namespace rethink {

Batch on_device(const Batch& batch, const at::Device& device) {
  Batch moved = batch;
  for (auto& [name, tensor] : moved.columns) tensor = tensor.to(device, /*non_blocking=*/true);
  return moved;
}

std::vector<ParameterGroup> Task::parameter_groups() {
  ParameterGroup all;
  for (const auto& item : model().named_parameters())
    all.parameters.emplace_back(item.key(), item.value());
  return {all};
}

}  // namespace rethink
