// Fine-tuning on labelled texts: classes, scores, and the choice among continuations (Devlin et
// al., 2019, sections 4.1 and 4.4).
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "datasets/labelled/encoded_texts.h"
#include "datasets/labelled/labelled.h"
#include "experiments/train/tasks/encoder_task.h"

namespace rethink {

class LabelledTrainingTask : public EncoderTask {
 public:
  /// Loads the encoder and, if present, the pooler of `start`; the head begins fresh. Throws
  /// TrialError if a split has no examples, and as EncoderStart::load.
  LabelledTrainingTask(std::shared_ptr<LabelledDataset> dataset, const EncoderStart& start,
                       const EncoderTaskOptions& options, uint64_t seed, at::Device device);

  /// Rows of a batch are choices, so an example with several choices has several rows.
  std::optional<PassShape> joinable_batch() const override;
  BatchLoss loss(const Batch& batch, PhiloxKey pass) override;
  /// Predictions: predicted f64 [N], the class, the number of the choice or the score; expected f64
  /// [N], nan if not published; logits f32 [N,C].
  SplitResult evaluate(const std::string& split, const EvaluationPass& pass) override;
  std::string default_metric() const override { return dataset_->task().metrics.front(); }
  double guessing_loss() const override;

  SplitSize size(const std::string& split) const override {
    return {dataset_->examples(split).size(), dataset_->whole_size(split)};
  }
  EncoderHeads heads() const override;
  std::map<std::string, std::string> prediction_texts(
      const std::string& split,
      const std::map<std::string, at::Tensor>& predictions) const override;

 private:
  struct Split {
    EncodedTexts texts;               // the choices of an example follow each other
    std::vector<double> labels = {};  // nan: not published
  };
  void encode(const std::string& name, const WordPiece& pieces);
  Batch make_batch(const std::string& split, const std::vector<uint32_t>& examples) const override;
  /// Returns float [B,C]: logits of classes or choices, or the score.
  at::Tensor logits(const Batch& batch, PhiloxKey pass, Recorder* record);

  const std::shared_ptr<LabelledDataset> dataset_;
  std::map<std::string, Split> splits_;
  const std::shared_ptr<Pooler> pooler_;
  const std::shared_ptr<LinearHead> classifier_;
};

}  // namespace rethink
