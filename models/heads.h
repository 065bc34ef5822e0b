// What stands on an encoder: the pooler and the heads of BERT's tasks (Devlin et al., 2019, sections
// 3.1 and 4). A task adds the ones it needs to its model, under these names, which
// models/huggingface/weights.h knows:
//
//   encoder     Encoder
//   pooler      Pooler
//   mlm         MaskedLanguageHead
//   nsp         LinearHead      2 outputs from the pooled state: 0 = the second part follows
//   classifier  LinearHead      classes; 1 for a score; 1 for multiple choice (choice_logits); of
//                               every word's hidden state where words are tagged
//   span        LinearHead      2 outputs from every hidden state (span_logits)
#pragma once

#include <torch/nn/module.h>

#include <string>
#include <utility>

#include "core/philox.h"
#include "models/layers.h"
#include "models/options.h"

namespace rethink {

/// tanh(W h + b) of the first token; of DistilBERT relu(W h + b).
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

/// norm(activation(W h + b)), then the words' embeddings as output projection with a bias of its
/// own. For the rows that are predicted alone: with 15 % masked, the rest would be most of a step.
class MaskedLanguageHead : public torch::nn::Module {
 public:
  MaskedLanguageHead(int64_t width, int64_t vocabulary, std::string activation, uint64_t seed);

  /// rows            float [N,D]  hidden states of the masked positions (rows_at)
  /// word_embedding  float [V,D]
  /// returns         float [N,V]
  at::Tensor logits(const at::Tensor& rows, const at::Tensor& word_embedding) const;

  /// targets i64 [N]    the words that stood there
  /// returns float [N]  negative log-likelihood [nats]
  at::Tensor token_losses(const at::Tensor& rows, const at::Tensor& word_embedding,
                          const at::Tensor& targets) const;

  /// The sum of token_losses; in float32 and float64 no [N,V] tensor is made.
  ///
  /// returns float []
  at::Tensor loss_sum(const at::Tensor& rows, const at::Tensor& word_embedding,
                      const at::Tensor& targets) const;

  /// Floating-point operations of logits for `rows`.
  double forward_flops(int64_t rows) const;

 private:
  at::Tensor transformed(const at::Tensor& rows) const;

  const std::string activation_;
  AffinePair dense_, norm_;
  at::Tensor bias_;  // [V]
};

/// W h + b.
class LinearHead : public torch::nn::Module {
 public:
  /// `name`: of this head in the model, "classifier": its weights are drawn from (seed, name).
  LinearHead(const std::string& name, int64_t width, int64_t outputs, uint64_t seed);
  /// input   float [...,D]
  /// returns float [...,outputs]
  at::Tensor forward(const at::Tensor& input) const;

 private:
  at::Tensor weight_, bias_;
};

/// The hidden states at chosen positions.
///
/// hidden    float [B,T,D]
/// positions i64 [N]  b * T + t
/// returns   float [N,D]
at::Tensor rows_at(const at::Tensor& hidden, const at::Tensor& positions);

/// The score of each of an example's choices, which stand in rows one after another.
///
/// scores  float [B*choices,1]  of a LinearHead with one output
/// returns float [B,choices]
at::Tensor choice_logits(const at::Tensor& scores, int64_t choices);

/// Where an answer starts and ends. Padding gets -1e30, so that a softmax over positions does not
/// depend on how much there is of it (Hugging Face's models leave it in).
///
/// scores  float [B,T,2]  of a LinearHead with two outputs
/// keep    bool [B,T]     undefined = all
/// returns float [B,T] twice
std::pair<at::Tensor, at::Tensor> span_logits(const at::Tensor& scores, const at::Tensor& keep);

/// Dropout on the pooled state before a task's head: a site of its own among the model's.
///
/// pooled  float [B,D]
at::Tensor head_dropout(const at::Tensor& pooled, double dropout, PhiloxKey pass);

}  // namespace rethink
