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
  /// Weights in float32 on the CPU, each drawn from (seed, its name): embeddings normal with
  /// deviation 1 (tied: 1/sqrt(D)), linear layers as torch.nn.Linear (uniform within
  /// 1/sqrt(fan-in)), norms one and zero, attention as its variant says. Throws ConfigError when
  /// the options do not fit each other.
  DecoderLanguageModel(const ModelOptions& options, int64_t vocabulary, uint64_t seed);

  /// Padding stands behind the tokens and changes nothing before it.
  ///
  /// input_ids  i64 [B,T]
  /// returns    float [B,T,D]  what the next token is predicted from
  ///
  /// Random: Philox, keyed by `pass` (models/random.h). Throws TrialError when T is above learned
  /// positions.
  at::Tensor hidden(const at::Tensor& input_ids, PhiloxKey pass, const DecoderExtras& extras = {});

  /// For the segments of a stream, one after the other, as DecoderExtras::state: what the attention
  /// of the layers keeps of earlier ones. Positions begin anew in each segment. Null where no layer
  /// keeps anything.
  std::unique_ptr<DecodingState> new_memory() const;

  /// hidden  float [...,D]
  /// returns float [...,V]
  at::Tensor logits(const at::Tensor& hidden) const;

  /// hidden  float [N,D]  rows that have a next token
  /// targets i64 [N]      that token
  /// returns float [N]    negative log-likelihood [nats]
  at::Tensor token_losses(const at::Tensor& hidden, const at::Tensor& targets) const;

  /// The sum of token_losses in one pass that keeps no [N,V] tensor.
  ///
  /// returns float []
  at::Tensor loss_sum(const at::Tensor& hidden, const at::Tensor& targets) const;

  const ModelOptions& options() const { return options_; }
  /// What attentions of several layers have in common, by name of the variant.
  const LayerStack::Shared& shared() const { return layers_.shared(); }

  /// As torch::nn::Module::train, less the options' quirk of attention dropout at evaluation.
  void train(bool on = true) override;

  /// Floating-point operations of one forward pass over `rows` sequences of `tokens`, and of what
  /// `memory` keeps before them, matrix products only; a training step costs three times as much.
  double forward_flops(int64_t rows, int64_t tokens, const DecodingState* memory = nullptr) const;

 private:
  at::Tensor with_positions(const at::Tensor& embedded);

  const ModelOptions options_;
  const int64_t vocabulary_;
  at::Tensor embedding_;  // [V,D]
  at::Tensor positions_;  // [max,D], learned
  Sinusoids sinusoids_;
  LayerStack layers_;
  AffinePair output_;  // [V,D], [V]
};

}  // namespace rethink
