// What the transformers of all three papers are made of: the post-LN layer around any registered
// attention (Vaswani et al., 2017; BERT, Devlin et al., 2019), its parameters, sinusoidal positions, and
// what decoders hold between passes.
#pragma once

#include <ATen/core/Tensor.h>
#include <torch/nn/module.h>

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/philox.h"
#include "models/attention/attention.h"
#include "models/options.h"

namespace rethink {

/// A weight and a bias, registered as NAME.weight and NAME.bias of their parent.
struct AffinePair {
  at::Tensor weight, bias;
};

/// How the weights of linear layers begin.
struct InitialWeights {
  uint64_t seed = 0;
  double deviation = 0.0;  // normal, biases zero (BERT: 0.02); 0 = as torch.nn.Linear
  std::string before{};    // what stands before "layers.N." in the model: "encoder."
};

/// BERT's (its released modeling.py): deviation of first weights, and what LayerNorm adds to the
/// variance.
constexpr double kBertDeviation = 0.02, kBertEpsilon = 1e-12;

AffinePair add_affine(torch::nn::Module& parent, const std::string& name, at::Tensor weight,
                      at::Tensor bias);

/// A linear layer, [out,in] and [out]. Both are drawn from (seed, prefix + name): `prefix` is what
/// stands before the parent's parameters in the model.
AffinePair add_linear(torch::nn::Module& parent, const std::string& prefix, const std::string& name,
                      std::pair<int64_t, int64_t> in_out, const InitialWeights& initial);

/// Ones and zeros.
AffinePair add_norm(torch::nn::Module& parent, const std::string& name, int64_t width);

/// A module of one parameter, `weight`.
at::Tensor add_weight(torch::nn::Module& parent, const std::string& name, at::Tensor weight);

/// gelu (erf) or relu of input W^T + bias.
at::Tensor activated_linear(const at::Tensor& input, const AffinePair& pair,
                            const std::string& activation);

struct LayerOptions {
  int64_t ffn = 0;
  double dropout = 0.0;             // of every sub-layer's output
  double activation_dropout = 0.0;  // inside the feed-forward layer
  std::string activation = "relu";
  double epsilon = 1e-5;      // of LayerNorm
  int64_t layers_before = 0;  // in another stack of the model, which has the first random sites
};

/// What the attentions of a layer hold between calls.
struct LayerState {
  std::unique_ptr<AttentionState> self, cross;  // each may be null

  int64_t tokens() const { return self ? self->tokens() : 0; }
};

/// One call of a layer.
struct LayerCall {
  at::Tensor input;      // float [B,T,D]
  at::Tensor keep = {};  // bool [B,T]; undefined = all
  bool causal = false;
  at::Tensor memory = {};       // float [B,S,D], of an encoder: what cross-attention looks at
  at::Tensor memory_keep = {};  // bool [B,S]; undefined = all
  LayerState* state = nullptr;
  const SideInputs* side = nullptr;
  PhiloxKey pass = {};
  Recorder* record = nullptr;
};

/// x = norm(x + dropout(attention(x))); in a decoder of two sequences
/// x = norm(x + dropout(cross(x, memory))); x = norm(x + dropout(ffn(x))).
class TransformerLayer : public torch::nn::Module {
 public:
  /// The variant is the one that `attention` gives to the site's layer. What stands before the
  /// layer's parameters in the model is "layers.N.", N from 1. `cross`: the cross-attention, where
  /// there is one.
  TransformerLayer(const LayerOptions& options, const AttentionChoice& attention,
                   const AttentionSite& site, const InitialWeights& initial,
                   const AttentionChoice* cross = nullptr);

  /// returns float [B,T,D]
  at::Tensor forward(const LayerCall& call);
  Attention& attention() { return *attention_; }
  LayerState new_state(StateUse use) const;

 private:
  const LayerOptions options_;
  const int64_t layer_;
  std::shared_ptr<Attention> attention_, cross_;  // the second may be null
  AffinePair attention_norm_, cross_norm_, ffn_in_, ffn_out_, ffn_norm_;
};

/// The site of dropout on embeddings. Layers take 8 sites each, from 8 times their number.
constexpr uint64_t kEmbeddingSite = 0;

/// What the layers hold of sentences that are read token by token, or of a stream that is read
/// segment by segment.
struct DecodingState {
  std::vector<LayerState> layers;
  int64_t tokens = 0;  // of each sentence so far; positions count from here
};

/// What a pass may be given beside its tokens.
struct DecoderExtras {
  Recorder* record = nullptr;
  DecodingState* state = nullptr;
  const SideInputs* side = nullptr;
  /// bool [B,T], false = padding; for attention that minds it (models/options.h).
  at::Tensor keep = {};
};

/// The layers of a model, one after the other, and what their attentions share.
class LayerStack {
 public:
  using Shared = std::map<std::string, std::shared_ptr<SharedAttentionState>>;

  LayerStack() = default;
  LayerStack(const LayerStack&) = delete;  // attentions know where shared() is
  LayerStack& operator=(const LayerStack&) = delete;

  /// Makes the site's number of layers, once, and registers them in `parent`: layers.N, N from 1, and
  /// shared_VARIANT. Throws ConfigError where `attention.at` names a layer that does not exist, or heads
  /// that do not divide the width.
  void make(torch::nn::Module& parent, const LayerOptions& options,
            const AttentionChoice& attention, AttentionSite site, const InitialWeights& initial,
            const AttentionChoice* cross = nullptr);

  /// returns float [B,T,D]
  ///
  /// call    of the first layer, without a state
  /// state   one for each layer, or null
  /// hidden  null, or where the L + 1 states go: what the first layer reads, and what each returns
  at::Tensor forward(LayerCall call, DecodingState* state = nullptr,
                     std::vector<at::Tensor>* hidden = nullptr);

  const std::vector<std::shared_ptr<TransformerLayer>>& layers() const { return layers_; }
  /// By name of the variant.
  const Shared& shared() const { return shared_; }

  /// Multiplications and additions of one forward pass over `rows` sequences of `tokens`, matrix
  /// products only; without those for tokens of another sequence.
  double forward_flops(int64_t rows, int64_t tokens) const;

 private:
  int64_t width_ = 0;
  std::vector<std::shared_ptr<TransformerLayer>> layers_;
  Shared shared_;
};

/// A table of sinusoidal positions, which nobody learns (Vaswani et al., 2017, section 3.5). It grows as
/// longer sequences come; no state.
class Sinusoids {
 public:
  explicit Sinusoids(int64_t width) : width_(width) {}

  /// float [T,D] of positions from `first` on, as `like` is: sin in the even and cos in the odd
  /// channels.
  at::Tensor rows(int64_t first, int64_t tokens, const at::TensorOptions& like);

 private:
  const int64_t width_;
  at::Tensor table_;
};

}  // namespace rethink
