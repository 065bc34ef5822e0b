// The task of the job `pretrain`: predicts masked tokens, and whether a second text follows the
// first, as BERT (Devlin et al., 2019, section 3.1), on documents of sentences, with any attention:
// SparseBERT's importance study, its masks and its search for masks.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "datasets/pretraining/documents.h"
#include "datasets/pretraining/masked_pairs.h"
#include "experiments/train/tasks/encoder_task.h"

namespace rethink {

struct PretrainingOptions {
  BatchingOptions batching{};
  int64_t duplicates =
      5;  // passes over the documents with different pairs and masks, before they repeat
  PairOptions pairs{};
  MaskOptions masks{};
  std::optional<double> mask_lr{};    // learning rate of the attention's shared masks
  std::vector<std::string> splits{};  // evaluated
};

/// An example is a pair of texts.
class PretrainingTask : public EncoderTask {
 public:
  /// Throws TrialError if a split has too little text for a pair.
  PretrainingTask(const DocumentDataset& dataset, const EncoderStart& start,
                  const PretrainingOptions& options, uint64_t seed, at::Device device);

  std::vector<ParameterGroup> parameter_groups() override;
  int64_t num_batches(int64_t epoch) const override;
  std::optional<PassShape> joinable_batch() const override;
  /// Loss per masked token: the mean over masked tokens and the mean over pairs have equal weights.
  BatchLoss loss(const Batch& batch, PhiloxKey pass) override;
  /// Evaluates the same masked tokens of the same pairs for every arm and seed. Predictions: nll
  /// f64 [N], nats of a pair's masked tokens; tokens i64 [N], their number; right f64 [N], number
  /// of right predictions; next f64 [N], whether the second text was predicted as the next one.
  SplitResult evaluate(const std::string& split, const EvaluationPass& pass) override;
  std::string default_metric() const override { return "mlm_loss"; }
  double guessing_loss() const override;
  EncoderHeads heads() const override { return {"BertForPreTraining"}; }

 private:
  struct Split {
    DocumentTokens documents;
    std::vector<TextPair> pairs;
    /// Pairs of pass d over the documents: [begins[d], begins[d + 1]).
    std::vector<uint32_t> begins = {0};
    uint64_t seed = 0;
  };
  struct Predicted {
    at::Tensor rows_MD;  // hidden states of masked tokens
    at::Tensor next_B2;  // scores of "follows" and "is random"
  };
  struct Found;
  Predicted forward(const Batch& batch, PhiloxKey pass, Recorder* record);
  void evaluate_batch(const Batch& batch, const std::vector<uint32_t>& pairs, PhiloxKey key,
                      Found& found);
  void prepare(const std::string& name, const std::vector<Document>& documents,
               const WordPiece& pieces, uint64_t seed, int64_t passes);
  /// Makes a batch of pairs of one pass.
  Batch make_batch(const std::string& name, const std::vector<uint32_t>& pairs) const override;
  /// Returns the batches of the pass that belongs to the epoch.
  std::vector<std::vector<uint32_t>> batches_of(const std::string& name, bool shuffle,
                                                int64_t epoch) const override;

  const PretrainingOptions pretraining_;
  const MaskVocabulary vocabulary_;
  const std::shared_ptr<Pooler> pooler_;
  const std::shared_ptr<MaskedLanguageHead> mlm_;
  const std::shared_ptr<LinearHead> nsp_;
  std::map<std::string, Split> splits_;
};

}  // namespace rethink
