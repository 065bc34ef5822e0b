#include "experiments/train/task.h"

namespace rethink {

std::vector<ParameterGroup> Task::parameter_groups() {
  ParameterGroup all;
  for (const auto& item : model().named_parameters())
    all.parameters.emplace_back(item.key(), item.value());
  return {all};
}

}  // namespace rethink
