// Questions whose answers are spans of a context (SQuAD). Facts beside those of dataset.h (kind
// "questions"): "no_answer": whether some have none; "metric": what papers report; "metrics": all
// that the official scorer gives; "examples": how many questions the published splits have.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "datasets/dataset.h"

namespace rethink {

struct Answer {
  std::string text;
  size_t begin;  // in the context [bytes]; the files count code points
};

struct Question {
  std::string id, text;
  size_t context;               // number of its context in the split
  std::vector<Answer> answers;  // of several people; for scores alone if `impossible`
  bool impossible = false;
};

struct QuestionSplit {
  std::string name;
  std::vector<std::string> contexts;
  std::vector<Question> questions;
  size_t whole_size = 0;  // questions without a limit on their number
};

class QuestionDataset : public Dataset {
 public:
  QuestionDataset(std::string name, bool no_answer, std::vector<QuestionSplit> splits);

  /// Whether some questions have no answer (SQuAD v2.0).
  bool has_no_answers() const { return no_answer_; }
  std::vector<std::string> splits() const override;
  /// Throws TrialError when there is no such split.
  const QuestionSplit& split(const std::string& name) const;

 private:
  std::string name_;
  bool no_answer_;
  std::vector<QuestionSplit> splits_;
};

}  // namespace rethink
