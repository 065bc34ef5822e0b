// The task of the job `lm`: next-token prediction with a decoder language model on one dataset
// (BET's experiments on WikiText-2, WikiText-103 and enwik8).
#pragma once

#include <memory>

#include "datasets/batching.h"
#include "datasets/text/syntax_hints.h"
#include "experiments/train/metrics.h"
#include "experiments/train/task.h"
#include "models/decoder.h"

namespace rethink {

class StreamMemory;

struct LanguageModelTaskOptions {
  BatchingOptions batching{};
  std::string loss_mean = "tokens";   // or "positions"
  std::vector<std::string> splits{};  // evaluated
  std::string metric = "perplexity";  // used if evaluate.metric is null
  bool characters = false;            // tokens are characters
  bool hints = false;                 // the model learns from the data's syntax hints
  bool stream = false;                // each sequence continues the one before it
};

/// The task reads batches of a stream in order, each row continuing its part of the stream
/// (datasets/batching.h), if the model remembers earlier segments.
class LanguageModelTask : public Task {
 public:
  /// Throws TrialError if an evaluated split is empty, and if a sequence of a used split has more
  /// tokens than the model has positions, or an attention's mask has rows.
  LanguageModelTask(std::shared_ptr<TokenDataset> dataset, const ModelOptions& model,
                    const LanguageModelTaskOptions& options, uint64_t seed, at::Device device);
  ~LanguageModelTask() override;

  torch::nn::Module& model() override { return *model_; }
  int64_t num_batches(int64_t epoch) const override;
  std::vector<std::vector<uint32_t>> epoch_batches(int64_t epoch) const override;
  Batch batch(const std::vector<uint32_t>& indices) const override;
  /// Returns nothing if rows continue from batch to batch, if layers share a mask that each pass draws, and if the loss
  /// is a mean that includes padding, since joined batches have more padding.
  std::optional<PassShape> joinable_batch() const override;
  int64_t padded_tokens(const std::vector<uint32_t>& indices) const override;
  BatchLoss loss(const Batch& batch, PhiloxKey pass) override;
  void visit(State& state) override;
  bool may_drop_batches() const override { return memory_ == nullptr; }
  /// Predictions: nll f64 [N], nats of a sequence; tokens i64 [N].
  SplitResult evaluate(const std::string& split, const EvaluationPass& pass) override;
  std::string default_metric() const override { return options_.metric; }
  double guessing_loss() const override;

  /// Return the number of used training sequences, and that of the data set without a limit.
  size_t train_size() const { return train_.size(); }
  size_t whole_train_size() const { return dataset_->whole_size("train"); }

  /// Returns hint_coverage of the training split. Requires: options.hints.
  double hint_coverage() const { return rethink::hint_coverage(train_hints_); }

 private:
  void require_sequences() const;
  void require_places_for_all(const ModelOptions& model) const;
  std::vector<std::vector<uint32_t>> evaluation_batches(const TokenSequences& sequences,
                                                        uint64_t seed) const;
  Batch make_batch(const TokenSequences& sequences, const std::vector<uint32_t>& indices) const;
  /// Returns which tokens are not padding; undefined if the model ignores padding.
  at::Tensor keep_of(const at::Tensor& input_ids) const;
  void add_hints(Batch& batch, const std::vector<uint32_t>& indices) const;

  const std::shared_ptr<TokenDataset> dataset_;
  const LanguageModelTaskOptions options_;
  const uint64_t seed_;
  const at::Device device_;
  const bool minds_padding_;
  std::shared_ptr<DecoderLanguageModel> model_;
  std::unique_ptr<StreamMemory> memory_;      // of training; null if the model keeps nothing
  const TokenSequences train_, train_hints_;  // train_hints_ may be empty
};

}  // namespace rethink
