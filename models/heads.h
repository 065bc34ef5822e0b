// The pooler and the task heads of an encoder (BERT, Devlin et al., 2019, sections 3.1 and 4). A
// task adds the heads that it needs to its model, under names that models/huggingface/weights.h
// knows:
//
//   encoder     Encoder
//   pooler      Pooler
//   mlm         MaskedLanguageHead
//   nsp         LinearHead      2 outputs from the pooled state: 0 = the second text follows
//   classifier  LinearHead      one output per class; 1 output for a score or for multiple choice
//                               (choice_logits); with tagged words from every word's hidden state
//   span        LinearHead      2 outputs from every hidden state (span_logits)
#pragma once

#include <torch/nn/module.h>

#include <string>
#include <utility>

#include "core/philox.h"
#include "models/layers.h"
#include "models/options.h"

namespace rethink {

/// The pooled state of a text: tanh(W h + b) of the first token's state h. DistilBERT has relu in
/// place of tanh.
class Pooler : public torch::nn::Module {
 public:
  Pooler(const EncoderOptions& encoder, uint64_t seed);
  /// hidden  float [B,T,D]
  /// returns float [B,D]
  at::Tensor forward(const at::Tensor& hidden) const;

 private:
  const std::string activation_;
  AffinePair dense_;
};

/// BERT's head for masked tokens: norm(activation(W h + b)), then an output projection by the word
/// embedding with its own bias. It takes only the rows of predicted tokens: with 15 % masked, the
/// other rows would be most of a step.
class MaskedLanguageHead : public torch::nn::Module {
 public:
  MaskedLanguageHead(int64_t width, int64_t vocabulary, std::string activation, uint64_t seed);

  /// Returns unnormalized scores of the words.
  ///
  /// rows            float [N,D]  hidden states of the masked positions (rows_at)
  /// word_embedding  float [V,D]
  /// returns         float [N,V]
  at::Tensor logits(const at::Tensor& rows, const at::Tensor& word_embedding) const;

  /// Returns negative log-likelihoods of the masked words [nats].
  ///
  /// targets i64 [N]  the masked words
  /// returns float [N]
  at::Tensor token_losses(const at::Tensor& rows, const at::Tensor& word_embedding,
                          const at::Tensor& targets) const;

  /// Returns the sum of token_losses. In float32 and float64 no tensor [N,V] is made.
  ///
  /// returns float []
  at::Tensor loss_sum(const at::Tensor& rows, const at::Tensor& word_embedding,
                      const at::Tensor& targets) const;

  /// Returns the floating-point operations of logits() for `rows` rows.
  double forward_flops(int64_t rows) const;

 private:
  at::Tensor transformed(const at::Tensor& rows) const;

  const std::string activation_;
  AffinePair dense_, norm_;
  at::Tensor bias_;  // [V]
};

/// A linear layer as a task head: W h + b.
class LinearHead : public torch::nn::Module {
 public:
  /// Draws the weights from (seed, name). `name` is the head's name in the model, such as
  /// "classifier".
  LinearHead(const std::string& name, int64_t width, int64_t outputs, uint64_t seed);
  /// input   float [...,D]
  /// returns float [...,outputs]
  at::Tensor forward(const at::Tensor& input) const;

 private:
  at::Tensor weight_, bias_;
};

/// Returns the hidden states at chosen positions.
///
/// hidden    float [B,T,D]
/// positions i64 [N]  token t of sequence b is b * T + t
/// returns   float [N,D]
at::Tensor rows_at(const at::Tensor& hidden, const at::Tensor& positions);

/// Returns the scores of the choices of each example. The choices of an example are consecutive
/// rows of `scores`.
///
/// scores  float [B*choices,1]  from a LinearHead with one output
/// returns float [B,choices]
at::Tensor choice_logits(const at::Tensor& scores, int64_t choices);

/// Returns logits for the first and for the last token of an answer. Padding gets -1e30, so that a
/// softmax over positions does not depend on the amount of padding. (Hugging Face's models leave
/// padding in the softmax.)
///
/// scores  float [B,T,2]  from a LinearHead with two outputs
/// keep    bool [B,T]     false = padding; undefined = no padding
/// returns float [B,T], float [B,T]
std::pair<at::Tensor, at::Tensor> span_logits(const at::Tensor& scores, const at::Tensor& keep);

/// Returns the pooled state after the dropout before a task's head. This dropout has its own site
/// of random numbers.
///
/// pooled  float [B,D]
/// returns float [B,D]
at::Tensor head_dropout(const at::Tensor& pooled, double dropout, PhiloxKey pass);

}  // namespace rethink
