// Parts that the transformers of all three papers share: the post-LN layer around any registered
// attention (Vaswani et al., 2017; BERT, Devlin et al., 2019), its parameters, sinusoidal
// positions, and the state of decoders between passes. CONTRIBUTING.md, "Letters of shapes",
// explains the letters B, T, D, ...
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

/// Rule for the initial weights of linear layers.
struct InitialWeights {
  uint64_t seed = 0;
  double deviation = 0.0;  // normal weights and zero biases (BERT: 0.02); 0 = as torch.nn.Linear
  std::string before{};    // prefix of "layers.N." in the model: "encoder."
};

/// Constants of BERT's released modeling.py: standard deviation of initial weights, and epsilon of
/// LayerNorm.
constexpr double kBertDeviation = 0.02, kBertEpsilon = 1e-12;

AffinePair add_affine(torch::nn::Module& parent, const std::string& name, at::Tensor weight,
                      at::Tensor bias);

/// Adds a linear layer to `parent` and returns its weight [out,in] and bias [out]. Both are drawn
/// from (seed, prefix + name). `prefix` is the prefix of the parent's parameters in the model.
AffinePair add_linear(torch::nn::Module& parent, const std::string& prefix, const std::string& name,
                      std::pair<int64_t, int64_t> in_out, const InitialWeights& initial);

/// Adds a LayerNorm's weight (ones) and bias (zeros), [width] each.
AffinePair add_norm(torch::nn::Module& parent, const std::string& name, int64_t width);

/// Adds a module with one parameter, `weight`, and returns the parameter.
at::Tensor add_weight(torch::nn::Module& parent, const std::string& name, at::Tensor weight);

/// Returns gelu (erf) or relu of input W^T + bias.
///
/// input   float [...,I]
/// returns float [...,O]  for a weight [O,I]
at::Tensor activated_linear(const at::Tensor& input, const AffinePair& pair,
                            const std::string& activation);

struct LayerOptions {
  int64_t ffn = 0;
  double dropout = 0.0;             // on every sub-layer's output
  double activation_dropout = 0.0;  // inside the feed-forward layer
  std::string activation = "relu";
  double epsilon = 1e-5;      // LayerNorm's
  int64_t layers_before = 0;  // layers of another stack of the model, whose random sites come first
};

/// State of a layer's attentions between calls.
struct LayerState {
  std::unique_ptr<AttentionState> self, cross;  // each may be null

  int64_t tokens() const { return self ? self->tokens() : 0; }
};

/// One call of a layer.
struct LayerCall {
  at::Tensor input;      // float [B,T,D]
  at::Tensor keep = {};  // bool [B,T]; undefined = all
  bool causal = false;
  at::Tensor memory = {};       // float [B,S,D], an encoder's states, which cross-attention reads
  at::Tensor memory_keep = {};  // bool [B,S]; undefined = all
  LayerState* state = nullptr;
  const SideInputs* side = nullptr;
  PhiloxKey pass = {};
  Recorder* record = nullptr;
};

/// A post-LN transformer layer (Vaswani et al., 2017, section 3.1):
///
///   x = norm(x + dropout(attention(x)))
///   x = norm(x + dropout(cross(x, memory)))   only with cross-attention
///   x = norm(x + dropout(ffn(x)))
class TransformerLayer : public torch::nn::Module {
 public:
  /// Makes the attention variant that `attention` chooses for the site's layer. The prefix of the
  /// layer's parameters in the model is "layers.N.", N from 1. `cross` is the choice of
  /// cross-attention, or null.
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

/// State of all layers for sentences that are read token by token, or for a stream that is read
/// segment by segment.
struct DecodingState {
  std::vector<LayerState> layers;
  int64_t tokens = 0;  // tokens read of each sentence; the next position
};

/// Optional inputs of a pass beside the tokens.
struct DecoderExtras {
  Recorder* record = nullptr;
  DecodingState* state = nullptr;
  const SideInputs* side = nullptr;
  /// bool [B,T], false = padding; for attention whose result depends on padding (minds_padding,
  /// models/options.h).
  at::Tensor keep = {};
};

/// The layers of a model in order, and the state that their attentions share.
class LayerStack {
 public:
  using Shared = std::map<std::string, std::shared_ptr<SharedAttentionState>>;

  LayerStack() = default;
  LayerStack(const LayerStack&) = delete;  // attentions hold a pointer to shared()
  LayerStack& operator=(const LayerStack&) = delete;

  /// Makes the site's number of layers and registers them in `parent` as layers.N, N from 1, and
  /// shared_VARIANT. May be called once. Throws ConfigError if `attention.at` names a layer that
  /// does not exist, or heads that do not divide the width.
  void make(torch::nn::Module& parent, const LayerOptions& options,
            const AttentionChoice& attention, AttentionSite site, const InitialWeights& initial,
            const AttentionChoice* cross = nullptr);

  /// Returns the last layer's states, float [B,T,D].
  ///
  /// call    call of the first layer, without a state
  /// state   states of all layers, or null
  /// hidden  null, or receives L + 1 tensors: the first layer's input, and each layer's result
  at::Tensor forward(LayerCall call, DecodingState* state = nullptr,
                     std::vector<at::Tensor>* hidden = nullptr);

  const std::vector<std::shared_ptr<TransformerLayer>>& layers() const { return layers_; }
  /// Shared states by name of the variant.
  const Shared& shared() const { return shared_; }

  /// Returns the multiplications and additions of the matrix products of one forward pass over
  /// `rows` sequences of `tokens`. The scores of cross-attention do not count.
  double forward_flops(int64_t rows, int64_t tokens) const;

 private:
  int64_t width_ = 0;
  std::vector<std::shared_ptr<TransformerLayer>> layers_;
  Shared shared_;
};

/// Table of fixed sinusoidal positions (Vaswani et al., 2017, section 3.5). The table grows with
/// the longest sequence, and is not part of a model's saved state.
class Sinusoids {
 public:
  explicit Sinusoids(int64_t width) : width_(width) {}

  /// Returns float [T,D], the encodings of T = `tokens` positions from `first` on, with dtype and
  /// device of `like`: sin in even channels, cos in odd channels.
  at::Tensor rows(int64_t first, int64_t tokens, const at::TensorOptions& like);

 private:
  const int64_t width_;
  at::Tensor table_;
};

}  // namespace rethink
