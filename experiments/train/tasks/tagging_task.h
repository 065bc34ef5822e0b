// Fine-tuning on the tags of words (Devlin et al., 2019, section 5.3): the last hidden state of
// every word's first piece is classified.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "datasets/labelled/encoded_texts.h"
#include "experiments/train/tasks/encoder_task.h"

namespace rethink {

class TaggingTask : public EncoderTask {
 public:
  /// Loads the encoder of `start`; the head begins fresh. Throws TrialError if a split has no sentences.
  TaggingTask(std::shared_ptr<TaggedDataset> dataset, const EncoderStart& start,
              const EncoderTaskOptions& options, uint64_t seed, at::Device device);

  BatchLoss loss(const Batch& batch, PhiloxKey pass) override;
  /// Returns f1: of entities, as conlleval counts them; accuracy: the share of words with the right
  /// tag, in IOB2 (conlleval compares tags as written). Both are fractions over all words of the
  /// split; an unread word counts as O. Also returns loss: over the read words [nats]. Predictions:
  /// predicted i64 [N] and expected i64 [N] of all words of all sentences, as positions in the data
  /// set's labels.
  SplitResult evaluate(const std::string& split, const EvaluationPass& pass) override;
  std::string default_metric() const override { return "f1"; }
  double guessing_loss() const override;

  EncoderHeads heads() const override { return {"BertForTokenClassification", dataset_->labels()}; }
  /// Returns ".conll": every word with its tag, as `rethink score conll` and conlleval's scripts read them.
  std::map<std::string, std::string> prediction_texts(
      const std::string& split,
      const std::map<std::string, at::Tensor>& predictions) const override;

 private:
  struct Split {
    TaggedTexts texts;
    std::vector<std::vector<int64_t>> labels;  // of every word of every sentence
  };
  Batch make_batch(const std::string& split, const std::vector<uint32_t>& examples) const override;
  /// Returns float [N,C], logits of the words of a batch.
  at::Tensor logits(const Batch& batch, PhiloxKey pass, Recorder* record);
  SplitResult result_of(const std::string& split,
                        const std::vector<std::vector<int64_t>>& predicted) const;

  const std::shared_ptr<TaggedDataset> dataset_;
  std::map<std::string, Split> splits_;
  const std::shared_ptr<LinearHead> classifier_;
};

}  // namespace rethink
