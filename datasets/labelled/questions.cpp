#include "datasets/labelled/questions.h"

#include "datasets/dataset.h"

namespace rethink {

QuestionDataset::QuestionDataset(std::string name, bool no_answer,
                                 std::vector<QuestionSplit> splits)
    : name_(std::move(name)), no_answer_(no_answer), splits_(std::move(splits)) {
  for (QuestionSplit& split : splits_)
    split.whole_size = std::max(split.whole_size, split.questions.size());
}

std::vector<std::string> QuestionDataset::splits() const {
  return names_of(splits_);
}

const QuestionSplit& QuestionDataset::split(const std::string& name) const {
  return split_named(name, splits_, name_);
}

}  // namespace rethink
