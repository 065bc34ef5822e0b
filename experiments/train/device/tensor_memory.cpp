#include "experiments/train/device/tensor_memory.h"

#include <ATen/ATen.h>

#include <algorithm>

namespace rethink {
namespace {

at::ScalarType dtype_of(ColumnType type) {
  switch (type) {
    case ColumnType::int64:
      return at::kLong;
    case ColumnType::boolean:
      return at::kBool;
  }
  RETHINK_ASSERT(false, std::to_string(static_cast<int>(type)));
}

}  // namespace

TensorMemory::TensorMemory(bool pinned)
    : options_(at::TensorOptions().dtype(at::kByte).pinned_memory(pinned)) {}

ColumnAllocator TensorMemory::allocator() {
  return [this](const std::string& name, size_t bytes) -> std::span<std::byte> {
    at::Tensor memory = at::empty({static_cast<int64_t>(bytes)}, options_);
    memory_[name] = memory;
    return {reinterpret_cast<std::byte*>(memory.mutable_data_ptr<uint8_t>()), bytes};
  };
}

std::map<std::string, at::Tensor> TensorMemory::tensors(const Columns& columns) const {
  std::map<std::string, at::Tensor> all;
  for (const Column& column : columns)
    all[column.name] = memory_.at(column.name).view(dtype_of(column.type)).view(column.shape);
  return all;
}

at::Tensor TensorMemory::integers(const std::vector<int64_t>& values) const {
  at::Tensor tensor = at::empty({static_cast<int64_t>(values.size())}, options_.dtype(at::kLong));
  std::copy(values.begin(), values.end(), tensor.mutable_data_ptr<int64_t>());
  return tensor;
}

at::Tensor TensorMemory::floats(const std::vector<float>& values) const {
  at::Tensor tensor = at::empty({static_cast<int64_t>(values.size())}, options_.dtype(at::kFloat));
  std::copy(values.begin(), values.end(), tensor.mutable_data_ptr<float>());
  return tensor;
}

}  // namespace rethink
