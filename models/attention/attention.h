// The interface of attention variants, and the two base classes from which variants derive. Each
// variant is one file in this folder. The interface supports cross-attention, decoding caches,
// segment memory, side inputs, shared state and recorded maps. Base classes: ProjectedAttention has
// the projections; CachedAttention also keeps keys and values while a sequence is decoded.
// CONTRIBUTING.md, "Letters of shapes", explains B, T, D, ...
#pragma once

#include <ATen/core/Tensor.h>
#include <torch/nn/module.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/config/registry.h"
#include "core/facts/attention_facts.h"
#include "core/philox.h"

namespace rethink {

struct Mask;  // models/masks/mask.h

/// Name of the side input with syntax hints.
inline constexpr const char* kHints = "hints";

/// Tensors of the batch beside its tokens, by name, for variants with the fact "side":
///   hints  i64 [B,T]  position to attend to; -1: unknown, -2: no prediction at this position
using SideInputs = std::map<std::string, at::Tensor>;

/// Recorded results of a forward pass. A null pointer in AttentionCall selects the fast path.
struct Recorder {
  std::vector<at::Tensor> maps = {};    // float [B,H,Q,K], one per attention call, in order
  std::vector<at::Tensor> values = {};  // float [B,H,K,E], values that the maps multiply
  std::vector<at::Tensor> largest_scores =
      {};  // float [], before the softmax; one per call that has scores
  std::map<std::string, at::Tensor> losses = {};   // float [], already weighted: per token
  std::map<std::string, at::Tensor> numbers = {};  // float [], for curves: "mask_sparsity"
  bool keep_maps = false;                          // recording only losses keeps the fast path

  /// Adds a term to the loss of the batch, per token. Terms of several layers with the same `name`
  /// are summed.
  void add_loss(const std::string& name, const at::Tensor& loss) { add(losses[name], loss); }
  /// Adds a point to a curve. Numbers of several layers with the same `name` are summed.
  void add_number(const std::string& name, const at::Tensor& number) {
    add(numbers[name], number.detach());
  }

 private:
  static void add(at::Tensor& sum, const at::Tensor& one) { sum = sum.defined() ? sum + one : one; }
};

/// Purpose of a state.
enum class StateUse {
  decoding,  // a sequence is read token by token, with the result of reading it at once
  segments,  // a layer remembers earlier segments of a stream
};

/// A decoding cache or segment memory, made by the variant.
class AttentionState {
 public:
  virtual ~AttentionState() = default;
  /// Returns the number of stored tokens. They precede the tokens of the next call.
  virtual int64_t tokens() const = 0;
  /// Replaces row n by the old row beams[n].
  ///
  /// beams  i64 [B]
  virtual void reorder(const at::Tensor& beams) = 0;
  virtual void detach() = 0;
  virtual void visit(
      const std::function<void(const std::string& name, at::Tensor& tensor)>& visitor) = 0;
};

struct AttentionCall {
  const at::Tensor& query_input;  // float [B,Q,D]
  const at::Tensor& key_input;    // float [B,K,D]; the same tensor for self-attention
  at::Tensor key_keep = {};       // bool [B,K]; undefined = all
  bool causal = false;
  int64_t query_offset = 0;  // position of the first query; state->tokens() in self-attention
  AttentionState* state = nullptr;
  const SideInputs* side = nullptr;
  PhiloxKey random = {};  // key of this call's dropout and noise
  Recorder* record = nullptr;
};

class Attention : public torch::nn::Module {
 public:
  /// Returns float [B,Q,D], the result after the variant's own output projection. Dropout is on in
  /// training mode (train(), eval()).
  virtual at::Tensor forward(const AttentionCall& call) = 0;
  /// Returns an empty state, or null if the variant keeps none. Without a state, decoding computes
  /// the prefix again for each token, and a segment has no earlier segments.
  virtual std::unique_ptr<AttentionState> new_state(StateUse) const { return nullptr; }
  /// Returns the floating-point operations per token of the products of pairs, in a forward pass
  /// over T = `tokens` tokens: the scores with all tokens and the weighted sum, over `width`
  /// channels of all heads. Products with weights do not count.
  virtual double pair_flops(int64_t tokens, int64_t width) const {
    return 4.0 * static_cast<double>(tokens * width);
  }
};

/// State that all layers of a model share. The variant makes it once, and the model refreshes it
/// once per forward pass.
class SharedAttentionState : public torch::nn::Module {
 public:
  virtual void refresh(PhiloxKey random, Recorder* record) = 0;
  /// Returns the artifacts that a trial writes beside its weights, by name: "mask" u8 [H,n,n],
  /// "importance" float [H,n,n].
  virtual std::map<std::string, at::Tensor> artifacts() const { return {}; }
};

enum class AttentionPlace { encoder_self, decoder_self, decoder_cross };

/// The position in a model for which a variant is made.
struct AttentionSite {
  int64_t d_model = 0;
  int64_t heads = 1;
  double dropout = 0.0;  // dropout of attention weights
  int64_t layer = 1;     // number of the layer, from 1
  int64_t layers = 1;
  int64_t max_positions = 0;  // 0 = unbounded
  AttentionPlace place = AttentionPlace::decoder_self;
  std::map<std::string, std::shared_ptr<SharedAttentionState>>* shared =
      nullptr;                       // shared states by name of the variant
  const Mask* given_mask = nullptr;  // mask of the trial's input `mask`
};

using AttentionRegistry = Registry<Attention, AttentionFacts, const AttentionSite&>;
AttentionRegistry& attentions();

struct QueriesKeysValues {
  at::Tensor query, key, value;  // float [B,H,T,E]
};

/// Attention with query, key, value and output projections with biases, and with the split into
/// heads.
class ProjectedAttention : public Attention {
 protected:
  explicit ProjectedAttention(const AttentionSite& site);
  /// Dropout of attention weights; 0 when not training.
  double dropout() const { return is_training() ? site_.dropout : 0.0; }
  /// Factor of the scores, 1/sqrt(E).
  double scale() const;
  /// float [B,T,D] -> float [B,H,T,E]
  at::Tensor in_heads(const at::Tensor& joined) const;
  /// float [B,T,D] -> float [B,H,T,E], through the projection `name`: query, key, value or an added
  /// projection.
  at::Tensor heads_of(const std::string& name, const at::Tensor& input) const;
  /// float [B,H,T,E] -> float [B,T,D], through the output projection `name`.
  at::Tensor merged(const std::string& name, const at::Tensor& heads) const;
  /// Returns whether to compute queries, keys and values by one product. On a GPU one large product
  /// is faster than three. On a CPU it saves nothing, and while decoding the weights would be
  /// joined again for each token.
  static bool joins_products(const AttentionCall& call);
  /// Returns heads_of() of query, key and value, computed by one product.
  ///
  /// input  float [B,T,D]
  QueriesKeysValues joined_heads(const at::Tensor& input) const;
  /// Adds the projection `name` with a bias. `outputs` is its number of outputs; 0 = d_model.
  void add_projection(const std::string& name, int64_t outputs = 0);
  /// float [B,T,D] -> float [B,T,outputs], through the projection `name`.
  at::Tensor projected(const std::string& name, const at::Tensor& input) const;

  const AttentionSite site_;

 private:
  std::map<std::string, std::pair<at::Tensor, at::Tensor>> projections_;  // weight [O,D], bias [O]
};

/// A decoding cache: named tensors to which each call appends.
class GrowingState : public AttentionState {
 public:
  int64_t tokens() const override;
  void reorder(const at::Tensor& beams) override;
  void detach() override;
  void visit(
      const std::function<void(const std::string& name, at::Tensor& tensor)>& visitor) override;

  bool is_empty() const { return kept_.empty(); }
  /// Returns the tensor `name`, float [B,H,K,E]. Requires: the tensor exists.
  const at::Tensor& kept(const std::string& name) const { return kept_.at(name); }
  /// Appends `more`, float [B,H,T,E], to the tensor `name` and returns the result.
  const at::Tensor& extended(const std::string& name, const at::Tensor& more);

 private:
  std::map<std::string, at::Tensor> kept_;
};

struct KeysAndValues {
  at::Tensor key, value;  // float [B,H,K,E]
};

/// Base of variants whose keys and values depend on one token each. They are kept while a sequence
/// is decoded.
class CachedAttention : public ProjectedAttention {
 public:
  std::unique_ptr<AttentionState> new_state(StateUse use) const override;

 protected:
  using ProjectedAttention::ProjectedAttention;
  /// Returns the keys and values of key_input, behind those in the call's state. In cross-attention
  /// the keys never change, so the state keeps those of its first call.
  KeysAndValues keys_and_values(const AttentionCall& call) const;
  /// Returns the same with the queries, which are the projection's result.
  QueriesKeysValues queries_keys_and_values(const AttentionCall& call) const;
  /// Returns keys and values of new tokens: float [B,K,D] -> float [B,H,K,E].
  virtual KeysAndValues new_keys_and_values(const at::Tensor& key_input) const;
};

}  // namespace rethink
