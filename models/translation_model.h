// The encoder-decoder of BET's translation experiments (Vaswani et al., 2017, post-LN; fairseq's
// transformer_iwslt_de_en), each of whose three attentions is any registered variant, and how beam
// search asks it.
#pragma once

#include <torch/nn/module.h>

#include <memory>
#include <string>

#include "core/philox.h"
#include "models/beam_search.h"
#include "models/layers.h"
#include "models/options.h"

namespace rethink {

/// What an encoder read.
struct EncodedSource {
  at::Tensor states;  // float [B,S,D]
  at::Tensor keep;    // bool [B,S], false = padding
};

class TranslationModel : public torch::nn::Module {
 public:
  /// Weights in float32 on the CPU, each drawn from (seed, its name): embeddings normal with
  /// deviation 1/sqrt(D), linear layers as torch.nn.Linear, norms one and zero, attention as its
  /// variant says. Throws ConfigError when the options do not fit each other.
  TranslationModel(const TranslationModelOptions& options, int64_t vocabulary, uint64_t seed);

  /// source_ids  i64 [B,S]
  /// keep        bool [B,S]  false = padding
  EncodedSource encoded(const at::Tensor& source_ids, const at::Tensor& keep, PhiloxKey pass,
                        Recorder* record = nullptr);

  /// Padding stands behind the tokens and changes nothing before it.
  ///
  /// target_ids  i64 [B,T]      the start symbol first; with a state those that come next
  /// returns     float [B,T,D]  what the next token is predicted from
  at::Tensor decoded(const at::Tensor& target_ids, const EncodedSource& source, PhiloxKey pass,
                     const DecoderExtras& extras = {});

  /// Null where the self-attention of some layer keeps nothing: sentences are read from their start
  /// for every token.
  std::unique_ptr<DecodingState> new_state() const;

  /// hidden  float [...,D]
  /// returns float [...,V]
  at::Tensor logits(const at::Tensor& hidden) const;

  const TranslationModelOptions& options() const { return options_; }
  /// Whether attentions of several layers have something in common that each pass draws.
  bool shares_state() const { return !encoder_.shared().empty() || !decoder_.shared().empty(); }

  /// Floating-point operations of one forward pass over `rows` pairs, matrix products only.
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

/// Goes on with target sentences of `source`, each row of which is a sentence. `model` must outlive
/// it. Where the model keeps a state each token costs one pass over one token, else over all tokens
/// so far.
std::unique_ptr<NextTokens> make_translation_decoder(TranslationModel& model, EncodedSource source,
                                                     PhiloxKey pass);

}  // namespace rethink
