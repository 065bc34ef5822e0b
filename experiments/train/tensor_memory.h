// Memory of a batch's columns, as tensors that keep it alive.
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
  /// `pinned`: memory from which a GPU copies while it computes.
  explicit TensorMemory(bool pinned);

  ColumnAllocator allocator();
  /// Returns the columns, by name, whose memory is this allocator's.
  std::map<std::string, at::Tensor> tensors(const Columns& columns) const;
  /// i64 [N] and f32 [N]
  at::Tensor integers(const std::vector<int64_t>& values) const;
  at::Tensor floats(const std::vector<float>& values) const;

 private:
  at::TensorOptions options_;
  std::map<std::string, at::Tensor> memory_;
};

}  // namespace rethink
