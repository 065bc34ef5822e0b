// The encoder-decoder of BET's translation experiments (Vaswani et al., 2017, post-LN; fairseq's
// transformer_iwslt_de_en). Each of its three attentions may be any registered variant. Also its
// adapter for beam search.
#pragma once

#include <torch/nn/module.h>

#include <memory>
#include <string>

#include "core/philox.h"
#include "models/beam_search.h"
#include "models/layers.h"
#include "models/options.h"

namespace rethink {

/// An encoder's states of source sentences.
struct EncodedSource {
  at::Tensor states;  // float [B,S,D]
  at::Tensor keep;    // bool [B,S], false = padding
};

class TranslationModel : public torch::nn::Module {
 public:
  /// Draws each weight from (seed, name), in float32 on the CPU. Embeddings are normal with
  /// standard deviation 1/sqrt(D), linear layers as in torch.nn.Linear, norms one and zero.
  /// Attention variants draw their own weights. Throws ConfigError when options contradict each
  /// other.
  TranslationModel(const TranslationModelOptions& options, int64_t vocabulary, uint64_t seed);

  /// Returns the encoder's states of the source sentences.
  ///
  /// source_ids  i64 [B,S]
  /// keep        bool [B,S]  false = padding
  EncodedSource encoded(const at::Tensor& source_ids, const at::Tensor& keep, PhiloxKey pass,
                        Recorder* record = nullptr);

  /// Returns the states from which logits() predicts the next target tokens. Padding follows the
  /// tokens and does not change their states.
  ///
  /// target_ids  i64 [B,T]  starts with the start symbol; with a state only the new tokens
  /// returns     float [B,T,D]
  at::Tensor decoded(const at::Tensor& target_ids, const EncodedSource& source, PhiloxKey pass,
                     const DecoderExtras& extras = {});

  /// Returns an empty decoding state. Null if the self-attention of any layer keeps no state: each
  /// new token then needs a pass over the whole sentence.
  std::unique_ptr<DecodingState> new_state() const;

  /// Returns unnormalized scores of the next token.
  ///
  /// hidden  float [...,D]
  /// returns float [...,V]
  at::Tensor logits(const at::Tensor& hidden) const;

  const TranslationModelOptions& options() const { return options_; }
  /// Returns whether attentions of several layers share a state that each pass draws.
  bool shares_state() const { return !encoder_.shared().empty() || !decoder_.shared().empty(); }

  /// Returns the floating-point operations of the matrix products of one forward pass over `rows`
  /// pairs.
  double forward_flops(int64_t rows, int64_t source_tokens, int64_t target_tokens);

 private:
  void add_embeddings(int64_t vocabulary, uint64_t seed);
  void make_layers(const std::string& stack, LayerStack& layers, uint64_t seed);
  at::Tensor embedded(const at::Tensor& embedding, const at::Tensor& ids, int64_t first,
                      PhiloxKey dropout);

  const TranslationModelOptions options_;
  at::Tensor source_embedding_, target_embedding_, output_;  // [V,D]
  Sinusoids sinusoids_;
  LayerStack encoder_, decoder_;
};

/// Returns an adapter by which beam_search() extends target sentences. Each row of `source` is one
/// source sentence. `model` must outlive the adapter. A token costs a pass over one token if the
/// model keeps a state, else a pass over the whole sentence.
std::unique_ptr<NextTokens> make_translation_decoder(TranslationModel& model, EncodedSource source,
                                                     PhiloxKey pass);

}  // namespace rethink
