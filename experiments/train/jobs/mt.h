// The task of the job `mt`: predicts the target's next token from the source and the earlier tokens
// (Vaswani et al., 2017). It measures the loss of the reference sentences and BLEU of sentences
// from beam search (BET's experiments on IWSLT 2014 and WMT 2017).
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "datasets/batching.h"
#include "datasets/translation/translations.h"
#include "experiments/train/metrics.h"
#include "experiments/train/task.h"
#include "models/beam_search.h"
#include "models/translation_model.h"

namespace rethink {

struct TranslationTaskOptions {
  BatchingOptions batching{};
  std::optional<int64_t> batch_tokens{};  // instead of a number of sentences
  double label_smoothing = 0.1;
  BeamOptions beam{};
  double length_factor = 1.2;  // largest translation of a source of S tokens: factor * S + extra
  int64_t length_extra = 10;   // [tokens]
  std::vector<std::string> splits{};  // evaluated
  bool hints = false;                 // the decoder learns from the data's syntax hints
};

/// Returns the largest length of a translation of so many source tokens, its end included.
int64_t longest_found(int64_t source, const TranslationTaskOptions& options);

/// Returns `beam` with the ids of special tokens, which are equal in every vocabulary.
BeamOptions with_special_tokens(BeamOptions beam);

class TranslationTask : public Task {
 public:
  /// Throws TrialError if a split has no pairs, if the vocabulary has too few tokens for the beams,
  /// or if an attention's mask is too small for a sentence. Throws ConfigError if an evaluated
  /// split has no references, such as the training split.
  TranslationTask(std::shared_ptr<TranslationDataset> dataset, const TranslationModelOptions& model,
                  const TranslationTaskOptions& options, uint64_t seed, at::Device device);

  torch::nn::Module& model() override { return *model_; }
  int64_t num_batches(int64_t epoch) const override;
  std::vector<std::vector<uint32_t>> epoch_batches(int64_t epoch) const override;
  Batch batch(const std::vector<uint32_t>& indices) const override;
  /// Returns nothing if layers share a mask that each pass draws.
  std::optional<PassShape> joinable_batch() const override;
  int64_t padded_tokens(const std::vector<uint32_t>& indices) const override;
  /// Label smoothing as in fairseq: the rest of the probability is spread over the other tokens.
  BatchLoss loss(const Batch& batch, PhiloxKey pass) override;
  /// Returns bleu, and loss and perplexity without smoothing. Predictions: nll f64 [N], nats of a
  /// sentence, and tokens i64 [N]; found i64 [M], the translations one after another, and
  /// found_tokens i64 [N], their lengths; bleu_counts i64 [N,10] (BleuCounts) and bleu_smoothed i64
  /// [1], 0 or 1, from which BLEU follows (bleu_of_counts).
  SplitResult evaluate(const std::string& split, const EvaluationPass& pass) override;
  std::string default_metric() const override { return "bleu"; }
  double guessing_loss() const override;

  /// Returns the translations, one per line; `predictions` are those of evaluate.
  std::string found_text(const std::map<std::string, at::Tensor>& predictions) const;

 private:
  std::vector<std::vector<uint32_t>> batches_of(const TranslationSplit& split, bool shuffle,
                                                int64_t epoch) const;
  Batch make_batch(const TranslationSplit& split, const std::vector<uint32_t>& indices) const;
  at::Tensor logits(const Batch& batch, const EncodedSource& source, PhiloxKey pass,
                    DecoderExtras extras = {});
  EncodedSource encoded(const Batch& batch, PhiloxKey pass, Recorder* record);
  std::vector<Hypothesis> found(const Batch& on_host, const EncodedSource& source, PhiloxKey pass);
  SplitResult result_of(const TranslationSplit& split, const std::vector<SequenceLoss>& losses,
                        const std::vector<std::vector<int32_t>>& sentences) const;

  const std::shared_ptr<TranslationDataset> dataset_;
  const TranslationTaskOptions options_;
  const uint64_t seed_;
  const at::Device device_;
  const bool minds_padding_;  // of the decoder
  int64_t num_batches_ = 0;   // equal in every epoch
  std::shared_ptr<TranslationModel> model_;
};

}  // namespace rethink
