// The interface of every attention variant, one file each beside this one. It carries what the
// variants of all three papers need: cross-attention, decoding caches, segment memory, side inputs,
// shared state, recorded maps. Below it the two bases that variants derive from: ProjectedAttention, and
// CachedAttention, which keeps keys and values while a sequence is decoded.
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

/// The side input of syntax hints.
inline constexpr const char* kHints = "hints";

/// Tensors of the batch beside its tokens, by name, for variants with the fact "side" (below):
///   hints  i64 [B,T]  places to look at; -1: no one knows, -2: nothing is predicted here
using SideInputs = std::map<std::string, at::Tensor>;

/// What a forward pass leaves behind on request. Null in AttentionCall = the fast path.
struct Recorder {
  std::vector<at::Tensor> maps = {};    // float [B,H,Q,K], one per attention call, in order
  std::vector<at::Tensor> values = {};  // float [B,H,K,E], what the maps multiply
  std::vector<at::Tensor> largest_scores =
      {};  // float [], before the softmax; of calls that have scores
  std::map<std::string, at::Tensor> losses = {};   // float [], already weighted: per token
  std::map<std::string, at::Tensor> numbers = {};  // float [], for curves: "mask_sparsity"
  bool keep_maps = false;                          // losses alone do not leave the fast path

  /// What the task adds to the loss of a batch, per token; layers with the same `name` add up.
  void add_loss(const std::string& name, const at::Tensor& loss) { add(losses[name], loss); }
  /// Of a curve; layers with the same `name` add up.
  void add_number(const std::string& name, const at::Tensor& number) {
    add(numbers[name], number.detach());
  }

 private:
  static void add(at::Tensor& sum, const at::Tensor& one) { sum = sum.defined() ? sum + one : one; }
};

/// What a state is for.
enum class StateUse {
  decoding,  // a sequence is read token by token, as if it were read at once
  segments,  // what a layer saw of earlier segments of a stream
};

/// A decoding cache or segment memory, made by the variant.
class AttentionState {
 public:
  virtual ~AttentionState() = default;
  /// How many tokens it holds, which stand before those of the next call.
  virtual int64_t tokens() const = 0;
  /// beams  i64 [B]  which old row each new row continues
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
  int64_t query_offset = 0;  // position of the first query: of self-attention state->tokens()
  AttentionState* state = nullptr;
  const SideInputs* side = nullptr;
  PhiloxKey random = {};  // of this call: dropout and noise
  Recorder* record = nullptr;
};

class Attention : public torch::nn::Module {
 public:
  /// returns float [B,Q,D], after the variant's own output projection(s). train() and eval() decide
  /// on dropout.
  virtual at::Tensor forward(const AttentionCall& call) = 0;
  /// Null where the variant has none: it decodes by computing the prefix again, it sees segments
  /// alone.
  virtual std::unique_ptr<AttentionState> new_state(StateUse) const { return nullptr; }
  /// FLOPs of a forward pass's matrix products for one of T `tokens`, beside those of weights:
  /// scores with every token, and the sum that they weigh, over `width` channels of all heads.
  virtual double pair_flops(int64_t tokens, int64_t width) const {
    return 4.0 * static_cast<double>(tokens * width);
  }
};

/// One module per model, made by the variant and refreshed once per forward pass.
class SharedAttentionState : public torch::nn::Module {
 public:
  virtual void refresh(PhiloxKey random, Recorder* record) = 0;
  /// What a trial leaves of it beside its weights, by name: "mask" u8 [H,n,n], "importance" float
  /// [H,n,n].
  virtual std::map<std::string, at::Tensor> artifacts() const { return {}; }
};

enum class AttentionPlace { encoder_self, decoder_self, decoder_cross };

/// Where in a model a variant is built.
struct AttentionSite {
  int64_t d_model = 0;
  int64_t heads = 1;
  double dropout = 0.0;  // of attention weights
  int64_t layer = 1;     // from 1
  int64_t layers = 1;
  int64_t max_positions = 0;  // 0 = unbounded
  AttentionPlace place = AttentionPlace::decoder_self;
  std::map<std::string, std::shared_ptr<SharedAttentionState>>* shared =
      nullptr;                       // by variant name
  const Mask* given_mask = nullptr;  // of the trial's input `mask`
};

using AttentionRegistry = Registry<Attention, AttentionFacts, const AttentionSite&>;
AttentionRegistry& attentions();

struct QueriesKeysValues {
  at::Tensor query, key, value;  // float [B,H,T,E]
};

/// Query, key, value and output projections with biases, and the split into heads.
class ProjectedAttention : public Attention {
 protected:
  explicit ProjectedAttention(const AttentionSite& site);
  /// Of attention weights; 0 when not training.
  double dropout() const { return is_training() ? site_.dropout : 0.0; }
  /// Of scores: 1/sqrt(E).
  double scale() const;
  /// float [B,T,D] -> float [B,H,T,E]
  at::Tensor in_heads(const at::Tensor& joined) const;
  /// float [B,T,D] -> float [B,H,T,E], through the projection `name`: query, key, value or one the
  /// variant added.
  at::Tensor heads_of(const std::string& name, const at::Tensor& input) const;
  /// float [B,H,T,E] -> float [B,T,D], through the output projection `name`.
  at::Tensor merged(const std::string& name, const at::Tensor& heads) const;
  /// Whether queries, keys and values are to be one product: on a GPU, which is asked for fewer and
  /// larger ones so. On a CPU it saves nothing, and token by token it would join weights each time.
  static bool joins_products(const AttentionCall& call);
  /// heads_of() of all three projections, float [B,T,D], as one product.
  QueriesKeysValues joined_heads(const at::Tensor& input) const;
  /// With bias. `outputs`: 0 = d_model.
  void add_projection(const std::string& name, int64_t outputs = 0);
  /// float [B,T,D] -> float [B,T,outputs], through the projection `name`.
  at::Tensor projected(const std::string& name, const at::Tensor& input) const;

  const AttentionSite site_;

 private:
  std::map<std::string, std::pair<at::Tensor, at::Tensor>> projections_;  // weight [O,D], bias [O]
};

/// A decoding cache: tensors that grow by what each call adds.
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
  /// The same with the queries, of the projection alone.
  QueriesKeysValues queries_keys_and_values(const AttentionCall& call) const;
  /// What a key and a value are made of, float [B,K,D] -> float [B,H,K,E].
  virtual KeysAndValues new_keys_and_values(const at::Tensor& key_input) const;
};

}  // namespace rethink
