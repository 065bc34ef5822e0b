// Which places of a batch predict something: only these reach the vocabulary.
#pragma once

#include <ATen/ATen.h>

#include <cstdint>
#include <vector>

namespace rethink {

/// Target of a place that predicts nothing (batching.h).
inline constexpr int64_t kNothingToPredict = -100;

struct PredictedRows {
  std::vector<int64_t> places;     // in [B*T], ascending
  std::vector<int64_t> targets;    // token there
  std::vector<int64_t> sequences;  // which of the split's
};

/// targets_BT: i64 on the host, kNothingToPredict elsewhere; indices: the batch's sequences.
PredictedRows predicted_rows(const at::Tensor& targets_BT, const std::vector<uint32_t>& indices);

}  // namespace rethink
