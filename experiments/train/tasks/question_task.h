// Fine-tuning on questions whose answers are spans of a context (Devlin et al., 2019, sections 4.2
// and 4.3). The model scores where an answer begins and ends.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "datasets/labelled/question_windows.h"
#include "experiments/train/tasks/encoder_task.h"

namespace rethink {

struct QuestionTaskOptions : EncoderTaskOptions {
  int64_t stride = 128, max_question = 64;  // WindowOptions
  AnswerOptions answers{};
};

class QuestionTask : public EncoderTask {
 public:
  /// Throws TrialError when a split has no questions.
  QuestionTask(std::shared_ptr<QuestionDataset> dataset, const EncoderStart& start,
               const QuestionTaskOptions& options, uint64_t seed, at::Device device);

  BatchLoss loss(const Batch& batch, PhiloxKey pass) override;
  /// Returns the official scorer's exact match and F1, as fractions. In v2.0 each uses its best
  /// threshold of "no answer", as the scorer finds it on the same questions. Predictions of each
  /// question: exact f64 [N] and f1 f64 [N] of the found text; no_answer f64 [N], the score of no
  /// answer minus the text's score; begin i64 [N] and end i64 [N], the text's position in the
  /// context [bytes].
  SplitResult evaluate(const std::string& split, const EvaluationPass& pass) override;
  std::string default_metric() const override { return "f1"; }
  double guessing_loss() const override;

  SplitSize size(const std::string& split) const override {
    return {dataset_->split(split).questions.size(), dataset_->split(split).whole_size};
  }
  EncoderHeads heads() const override { return {"BertForQuestionAnswering"}; }
  /// Returns ".json": the official scorers' {id: text}. In v2.0 also "_no_answer.json": {id: probability of no answer};
  /// there every question has a text, and the scorer finds the threshold.
  std::map<std::string, std::string> prediction_texts(
      const std::string& split,
      const std::map<std::string, at::Tensor>& predictions) const override;

 private:
  Batch make_batch(const std::string& split, const std::vector<uint32_t>& examples) const override;
  SplitResult result_of(const QuestionSplit& data,
                        std::vector<std::vector<WindowScores>>& found) const;
  /// Returns the scores of begins and of ends, float [B,T] each.
  std::pair<at::Tensor, at::Tensor> scores(const Batch& batch, PhiloxKey pass, Recorder* record);

  const std::shared_ptr<QuestionDataset> dataset_;
  const AnswerOptions answers_;
  std::map<std::string, QuestionWindows> windows_;
  const std::shared_ptr<LinearHead> span_;
};

}  // namespace rethink
