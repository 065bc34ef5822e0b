// Common parts of SparseBERT's attention variants: one mask for all layers of a model, computed
// once per forward pass, and the attention under this mask. ByteMask is a constant mask, from a
// pattern or from another trial.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "core/json.h"
#include "models/attention/attend.h"
#include "models/attention/attention.h"
#include "models/masks/mask.h"

namespace rethink {

/// A mask that all layers of a model share: [n,n] for each head, or one for all heads.
class SharedMask : public SharedAttentionState {
 public:
  /// Sets the options of attend() for the call's queries and keys. Throws TrialError if the call
  /// has more positions than the mask.
  virtual void apply(const AttentionCall& call, AttendOptions& options) = 0;

  Json made_with;  // options and heads of the layers that share it
};

/// Multi-head attention under the model's shared mask.
class SharedMaskAttention : public ProjectedAttention {
 public:
  SharedMaskAttention(const AttentionSite& site, std::shared_ptr<SharedMask> mask);
  at::Tensor forward(const AttentionCall& call) override;

 private:
  const std::shared_ptr<SharedMask> mask_;
};

/// Returns the model's mask of the variant `name`; the first layer makes it. Throws ConfigError for
/// cross-attention, and if another layer has other `options`.
std::shared_ptr<SharedMask> shared_mask(const AttentionSite& site, const std::string& name,
                                        const Json& options,
                                        const std::function<std::shared_ptr<SharedMask>()>& make);

/// Returns the fact `exceptions` of these variants: what they cannot do, with reasons.
std::map<std::string, std::string> exceptions_of_masks();

/// Returns the rows and columns of the call's queries and keys: [H,n,n] -> [H,Q,K]. Throws
/// TrialError if n is too small.
at::Tensor cropped(const at::Tensor& mask, const AttentionCall& call);

/// A constant mask [H,n,n], or [1,n,n] for all heads. Shorter batches use its upper left part.
class ByteMask : public SharedMask {
 public:
  explicit ByteMask(const Mask& mask);
  void refresh(PhiloxKey, Recorder*) override {}
  void apply(const AttentionCall& call, AttendOptions& options) override;
  std::map<std::string, at::Tensor> artifacts() const override { return {{"mask", cells_}}; }

 private:
  at::Tensor cells_;  // u8 [H|1,n,n], on the CPU
  // The part for the newest call alone: the layers of a pass share it, but batches have hundreds of
  // widths.
  at::Tensor part_;  // u8 [H|1,Q,K]
  int64_t offset_ = 0;
};

}  // namespace rethink
