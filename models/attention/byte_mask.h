// A mask that stays as it is: of a pattern, or of another trial.
#pragma once

#include "models/attention/shared_mask.h"
#include "models/masks/mask.h"

namespace rethink {

/// The mask [H,n,n], or [1,n,n] for all heads alike; shorter batches see its upper left part.
class ByteMask : public SharedMask {
 public:
  explicit ByteMask(const Mask& mask);
  void refresh(PhiloxKey, Recorder*) override {}
  void apply(const AttentionCall& call, AttendOptions& options) override;
  std::map<std::string, at::Tensor> artifacts() const override { return {{"mask", cells_}}; }

 private:
  at::Tensor cells_;  // u8 [H|1,n,n], on the CPU
  // Of the newest call alone: the layers of a pass share it, and widths come by the hundred.
  at::Tensor part_;  // u8 [H|1,Q,K]
  int64_t offset_ = 0;
};

}  // namespace rethink
