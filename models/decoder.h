// The decoder language model of BET's experiments: a post-LN transformer (BET, equations 1 to 3;
// Vaswani et al., 2017) whose self-attention is any registered variant.
#pragma once

#include <torch/nn/module.h>

#include <memory>

#include "core/philox.h"
#include "models/layers.h"

namespace rethink {

class DecoderLanguageModel : public torch::nn::Module {
 public:
  /// Draws each weight from (seed, name), in float32 on the CPU. Embeddings are normal with
  /// standard deviation 1 (tied: 1/sqrt(D)), linear layers as in torch.nn.Linear (uniform within
  /// 1/sqrt(fan-in)), norms one and zero. Attention variants draw their own weights. Throws
  /// ConfigError when options contradict each other.
  DecoderLanguageModel(const ModelOptions& options, int64_t vocabulary, uint64_t seed);

  /// Returns the hidden states from which logits() predicts the next tokens. Padding follows the
  /// tokens and does not change their states.
  ///
  /// input_ids  i64 [B,T]
  /// returns    float [B,T,D]
  ///
  /// Random: Philox, keyed by `pass` (models/tensors/random.h). Throws TrialError when T exceeds the
  /// learned positions.
  at::Tensor hidden(const at::Tensor& input_ids, PhiloxKey pass, const DecoderExtras& extras = {});

  /// Returns an empty segment memory of all layers for DecoderExtras::state, to read the segments
  /// of a stream in order. Positions restart in each segment. Null if no layer keeps a memory.
  std::unique_ptr<DecodingState> new_memory() const;

  /// Returns unnormalized scores of the next token.
  ///
  /// hidden  float [...,D]
  /// returns float [...,V]
  at::Tensor logits(const at::Tensor& hidden) const;

  /// Returns negative log-likelihoods of the next tokens [nats].
  ///
  /// hidden  float [N,D]  rows that have a next token
  /// targets i64 [N]      that token
  /// returns float [N]
  at::Tensor token_losses(const at::Tensor& hidden, const at::Tensor& targets) const;

  /// Returns the sum of token_losses, in one pass without a tensor [N,V].
  ///
  /// returns float []
  at::Tensor loss_sum(const at::Tensor& hidden, const at::Tensor& targets) const;

  const ModelOptions& options() const { return options_; }
  /// Returns the state that attentions of several layers share, by name of the variant.
  const LayerStack::Shared& shared() const { return layers_.shared(); }

  /// Like torch::nn::Module::train, but keeps attention dropout on if
  /// attention_dropout_at_evaluation is set.
  void train(bool on = true) override;

  /// Returns the floating-point operations of the matrix products of one forward pass over `rows`
  /// sequences of `tokens` behind the tokens in `memory`. A training step costs three times as
  /// much.
  double forward_flops(int64_t rows, int64_t tokens, const DecodingState* memory = nullptr) const;

 private:
  at::Tensor with_positions(const at::Tensor& embedded);

  const ModelOptions options_;
  at::Tensor embedding_;  // [V,D]
  at::Tensor positions_;  // [max,D], learned
  Sinusoids sinusoids_;
  LayerStack layers_;
  AffinePair output_;  // [V,D], [V]
};

}  // namespace rethink
