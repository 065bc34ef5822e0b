#include "experiments/train/tasks/stream_memory.h"

#include <ATen/ATen.h>
#include <fmt/format.h>

#include "core/error.h"
#include "experiments/train/state.h"

namespace rethink {
namespace {

/// Calls `take` with what each layer keeps and its name, "2/input" of layer 2.
template <typename Take>
void for_each_kept(const DecodingState& state, const Take& take) {
  for (size_t i = 0; i < state.layers.size(); ++i) {
    if (!state.layers[i].self) continue;
    state.layers[i].self->visit([&](const std::string& name, at::Tensor& tensor) {
      take(fmt::format("{}/{}", i + 1, name), tensor);
    });
  }
}

}  // namespace

void StreamMemory::forget() {
  state_ = model_.new_memory();
  RETHINK_ASSERT(state_ != nullptr, "a memory of a model that keeps nothing");
}

DecodingState* StreamMemory::before(int64_t rows, bool begins) {
  if (begins) {
    forget();
    rows_ = rows;
  }
  RETHINK_ASSERT(state_ != nullptr && rows <= rows_,
                 fmt::format("{} rows go on with {}", rows, rows_));
  const at::TensorOptions index = at::TensorOptions().dtype(at::kLong).device(device_);
  for (const LayerState& layer : state_->layers) {
    if (!layer.self) continue;
    layer.self->detach();
    if (rows < rows_) layer.self->reorder(at::arange(rows, index));
  }
  rows_ = rows;
  return state_.get();
}

void StreamMemory::visit(State& state) {
  std::map<std::string, at::Tensor> kept;
  if (!state.loading() && state_) {
    for_each_kept(*state_, [&](const std::string& name, const at::Tensor& tensor) {
      if (tensor.defined()) kept[name] = tensor;
    });
  }
  state.value("memory_rows", rows_);
  state.tensors("memory", kept);
  if (!state.loading()) return;
  forget();
  for_each_kept(*state_, [&](const std::string& name, at::Tensor& tensor) {
    if (const auto found = kept.find(name); found != kept.end()) tensor = found->second.to(device_);
  });
}

}  // namespace rethink
