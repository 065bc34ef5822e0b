// The task of the job `mt`: predicts the target's next token from the source and the earlier tokens
// (Vaswani et al., 2017). Measured by the loss of the reference sentences and by BLEU of beam
// search's sentences (BET's experiments on IWSLT 2014 and WMT 2017).
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
  std::optional<int64_t> batch_tokens{};  // in place of a number of sentences
  double label_smoothing = 0.1;
  BeamOptions beam{};
  double length_factor = 1.2;  // longest sentence of a source of S tokens: factor * S + extra
  int64_t length_extra = 10;   // [tokens]
  std::vector<std::string> splits{};  // evaluated
  bool hints = false;                 // the decoder learns from syntax hints, which the data have
};

/// The longest sentence that is looked for, of a source of so many tokens, its end counted.
int64_t longest_found(int64_t source, const TranslationTaskOptions& options);

/// `beam` with the ids that special tokens have in every vocabulary.
BeamOptions with_special_tokens(BeamOptions beam);

class TranslationTask : public Task {
 public:
  /// Throws TrialError when a split has no pairs, the vocabulary hardly a token for each beam, or an
  /// attention's mask too few places for a sentence;
  /// ConfigError when an evaluated split has no references, as the training split.
  TranslationTask(std::shared_ptr<TranslationDataset> dataset, const TranslationModelOptions& model,
                  const TranslationTaskOptions& options, uint64_t seed, at::Device device);

  torch::nn::Module& model() override { return *model_; }
  int64_t num_batches(int64_t epoch) const override;
  std::vector<std::vector<uint32_t>> epoch_batches(int64_t epoch) const override;
  Batch batch(const std::vector<uint32_t>& indices) const override;
  /// Nothing where layers share a mask that each pass draws.
  std::optional<PassShape> joinable_batch() const override;
  int64_t padded_tokens(const std::vector<uint32_t>& indices) const override;
  /// With label smoothing as fairseq's: what is not the right token's is spread over the others.
  BatchLoss loss(const Batch& batch, PhiloxKey pass) override;
  /// bleu, loss and perplexity, the last two without smoothing. Predictions: nll f64 [N], nats of a
  /// sentence, and tokens i64 [N]; found i64 [M], the sentences that were found, one behind the
  /// other, and found_tokens i64 [N], how long each is; bleu_counts i64 [N,10] (BleuCounts) and
  /// bleu_smoothed i64 [1], 0 or 1, which BLEU follows from (bleu_of_counts).
  SplitResult evaluate(const std::string& split, const EvaluationPass& pass) override;
  std::string default_metric() const override { return "bleu"; }
  double guessing_loss() const override;

  /// The sentences that were found, a line each; `predictions` as evaluate names them.
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
  const bool minds_padding_;  // the decoder does
  int64_t num_batches_ = 0;   // the same in every epoch
  std::shared_ptr<TranslationModel> model_;
};

}  // namespace rethink
