// What SparseBERT's variants have in common: one mask for all layers of a model, made once per
// forward pass, that each layer's attention looks up; and ByteMask, the mask that stays as it is: of a
// pattern or of another trial.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "core/json.h"
#include "models/attention/attend.h"
#include "models/attention/attention.h"
#include "models/masks/mask.h"

namespace rethink {

/// A model's mask: one [n,n] per head (or one for all heads), shared by all layers.
class SharedMask : public SharedAttentionState {
 public:
  /// Sets what `attend` needs for the call's queries and keys. Throws TrialError when there are
  /// more of them than the mask has places.
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

/// The model's mask of the variant `name`, made by the first layer that asks for it. Throws
/// ConfigError when the site is of cross-attention or another layer has other `options`.
std::shared_ptr<SharedMask> shared_mask(const AttentionSite& site, const std::string& name,
                                        const Json& options,
                                        const std::function<std::shared_ptr<SharedMask>()>& make);

/// What these variants cannot do, with reasons: their fact `exceptions`.
std::map<std::string, std::string> exceptions_of_masks();

/// [H,n,n] -> [H,Q,K], the places of the call's queries and keys. Throws TrialError when n is
/// smaller.
at::Tensor cropped(const at::Tensor& mask, const AttentionCall& call);

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
