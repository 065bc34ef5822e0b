// A BERT encoder (Devlin et al., 2019): post-LN transformer with learned positions and token types,
// whose self-attention is any registered variant.
#pragma once

#include <torch/nn/module.h>

#include <vector>

#include "core/philox.h"
#include "models/layers.h"
#include "models/options.h"

namespace rethink {

/// Input of an encoder. Padding may be at any position and does not change the states of other
/// positions. States at padded positions have no meaning.
struct EncoderInput {
  const at::Tensor& input_ids;     // i64 [B,T]
  at::Tensor token_type_ids = {};  // i64 [B,T]; undefined = all 0
  at::Tensor keep = {};            // bool [B,T], false = padding; undefined = no padding
};

class Encoder : public torch::nn::Module {
 public:
  /// Draws each weight from (seed, name), in float32 on the CPU, as BERT does: normal with standard
  /// deviation 0.02, biases zero, norms one and zero. Attention variants draw their own parameters.
  /// `given_mask` is the mask of the trial's input `mask`, for variants that read one; the
  /// constructor alone uses it. Throws ConfigError when options contradict each other.
  Encoder(const EncoderOptions& options, int64_t vocabulary, uint64_t seed,
          const Mask* given_mask = nullptr);

  /// Returns the last layer's hidden states.
  ///
  /// hidden  null, or receives L + 1 tensors float [B,T,D]: the embeddings and each layer's states
  /// returns float [B,T,D]
  ///
  /// Random: Philox, keyed by `pass` (models/tensors/random.h). Throws TrialError when T exceeds
  /// max_positions.
  at::Tensor forward(const EncoderInput& input, PhiloxKey pass, Recorder* record = nullptr,
                     std::vector<at::Tensor>* hidden = nullptr);

  const EncoderOptions& options() const { return options_; }
  int64_t vocabulary() const { return word_embedding_.size(0); }
  /// Returns float [V,D], the weight that the masked-language head shares.
  const at::Tensor& word_embedding() const { return word_embedding_; }
  /// Returns the state that attentions of several layers share, by name of the variant.
  const LayerStack::Shared& shared() const { return layers_.shared(); }

  /// Returns the floating-point operations of the matrix products of one forward pass over `rows`
  /// sequences of `tokens`. A training step costs three times as much.
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
