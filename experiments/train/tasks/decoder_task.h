// What the tasks of decoders have in common: which places of a batch predict something, and masks
// of attention that must be long enough for all sequences.
#pragma once

#include <ATen/ATen.h>

#include <cstdint>
#include <string>
#include <vector>

#include "models/options.h"

namespace rethink {

/// Target of a place that predicts nothing (datasets/batching.h).
inline constexpr int64_t kNothingToPredict = -100;

/// The places of a batch that predict something: only these reach the vocabulary.
struct PredictedRows {
  std::vector<int64_t> places;     // in [B*T], ascending
  std::vector<int64_t> targets;    // token there
  std::vector<int64_t> sequences;  // which of the split's
};

/// targets_BT: i64 on the host, kNothingToPredict elsewhere; indices: the batch's sequences.
PredictedRows predicted_rows(const at::Tensor& targets_BT, const std::vector<uint32_t>& indices);

/// Masks of attention are made for so many tokens (dam, importance, masked). For the data of which
/// no rule of a job knows how long they are: the first long text may come hours after the first
/// step. Throws TrialError when a mask of the attention, which stands under `key` in a sweep, is for
/// fewer than `tokens`. `whose` are they: "the longest sequence, of dev,".
void require_mask_for_all(const AttentionChoice& attention, const std::string& key, int64_t tokens,
                          const std::string& whose);

}  // namespace rethink
