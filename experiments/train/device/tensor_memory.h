// Memory for a batch's columns, as tensors that keep the memory alive.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "datasets/batching.h"

namespace rethink {

class TensorMemory {
 public:
  /// `pinned` memory can be copied to a GPU while the GPU computes.
  explicit TensorMemory(bool pinned);

  ColumnAllocator allocator();
  /// Returns the columns, by name, as tensors on this allocator's memory.
  std::map<std::string, at::Tensor> tensors(const Columns& columns) const;
  /// Return tensors i64 [N] and f32 [N] of the values.
  at::Tensor integers(const std::vector<int64_t>& values) const;
  at::Tensor floats(const std::vector<float>& values) const;

 private:
  at::TensorOptions options_;
  std::map<std::string, at::Tensor> memory_;
};

}  // namespace rethink
