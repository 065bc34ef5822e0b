// Decoding caches: tensors that grow by what each call adds.
#pragma once

#include <ATen/core/Tensor.h>

#include <map>
#include <string>

#include "models/attention/attention.h"

namespace rethink {

class GrowingState : public AttentionState {
 public:
  int64_t tokens() const override;
  void reorder(const at::Tensor& beams) override;
  void detach() override;
  void visit(
      const std::function<void(const std::string& name, at::Tensor& tensor)>& visitor) override;

  bool is_empty() const { return kept_.empty(); }
  /// float [B,H,K,E]: what `name` has kept; it must have.
  const at::Tensor& kept(const std::string& name) const { return kept_.at(name); }
  /// The same with `more`, float [B,H,T,E], behind it, which is kept from now on.
  const at::Tensor& extended(const std::string& name, const at::Tensor& more);

 private:
  std::map<std::string, at::Tensor> kept_;
};

struct KeysAndValues {
  at::Tensor key, value;  // float [B,H,K,E]
};

/// Variants whose keys and values depend on one token each, and are kept while a sequence is
/// decoded.
class CachedAttention : public ProjectedAttention {
 public:
  std::unique_ptr<AttentionState> new_state(StateUse use) const override;

 protected:
  using ProjectedAttention::ProjectedAttention;
  /// Of key_input, behind those that the call's state holds. Between two sequences the keys never
  /// change: a state has those of its first call.
  KeysAndValues keys_and_values(const AttentionCall& call) const;
  /// What a key and a value are made of, float [B,K,D] -> float [B,H,K,E].
  virtual KeysAndValues new_keys_and_values(const at::Tensor& key_input) const;
};

}  // namespace rethink
