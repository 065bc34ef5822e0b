// A BERT encoder (Devlin et al., 2019): post-LN transformer with learned positions and token types,
// whose self-attention is any registered variant.
#pragma once

#include <torch/nn/module.h>

#include <vector>

#include "core/philox.h"
#include "models/layers.h"
#include "models/options.h"

namespace rethink {

/// What an encoder reads. Padding stands anywhere and changes nothing elsewhere; what is returned
/// at its own places has no meaning.
struct EncoderInput {
  const at::Tensor& input_ids;     // i64 [B,T]
  at::Tensor token_type_ids = {};  // i64 [B,T]; undefined = all 0
  at::Tensor keep = {};            // bool [B,T], false = padding; undefined = no padding
};

class Encoder : public torch::nn::Module {
 public:
  /// Weights in float32 on the CPU, drawn as BERT's: normal with deviation 0.02, each from (seed,
  /// its name), biases zero, norms one and zero. A variant's own parameters begin as it says.
  /// Throws ConfigError when the options do not fit each other. `given_mask`: what the trial's
  /// input `mask` holds, for variants that take one; needed in here alone.
  Encoder(const EncoderOptions& options, int64_t vocabulary, uint64_t seed,
          const Mask* given_mask = nullptr);

  /// hidden  nothing, or where the states of every layer go: L + 1 of float [B,T,D], the embeddings
  ///         first
  /// returns float [B,T,D]  the last layer's
  ///
  /// Random: Philox, keyed by `pass` (models/random.h). Throws TrialError when T is above
  /// max_positions.
  at::Tensor forward(const EncoderInput& input, PhiloxKey pass, Recorder* record = nullptr,
                     std::vector<at::Tensor>* hidden = nullptr);

  const EncoderOptions& options() const { return options_; }
  int64_t vocabulary() const { return word_embedding_.size(0); }
  /// float [V,D]: what the masked-language head is tied to.
  const at::Tensor& word_embedding() const { return word_embedding_; }
  /// What the variants of the layers share, by name of the variant.
  const LayerStack::Shared& shared() const { return layers_.shared(); }

  /// Floating-point operations of one forward pass over `rows` sequences of `tokens`, matrix
  /// products only; a training step costs three times as much.
  double forward_flops(int64_t rows, int64_t tokens) const {
    return layers_.forward_flops(rows, tokens);
  }

 private:
  at::Tensor embedded(const EncoderInput& input, PhiloxKey pass);

  const EncoderOptions options_;
  at::Tensor word_embedding_, position_embedding_,
      token_type_embedding_;  // [V,D] [max,D] [types,D]
  AffinePair embedding_norm_;
  LayerStack layers_;
};

}  // namespace rethink
