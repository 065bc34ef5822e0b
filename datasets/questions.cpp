#include "datasets/questions.h"

#include <fmt/format.h>

#include "core/error.h"

namespace rethink {

QuestionDataset::QuestionDataset(std::string name, bool no_answer,
                                 std::vector<QuestionSplit> splits)
    : name_(std::move(name)), no_answer_(no_answer), splits_(std::move(splits)) {
  for (QuestionSplit& split : splits_)
    split.whole_size = std::max(split.whole_size, split.questions.size());
}

std::vector<std::string> QuestionDataset::splits() const {
  std::vector<std::string> names;
  for (const QuestionSplit& split : splits_) names.push_back(split.name);
  return names;
}

const QuestionSplit& QuestionDataset::split(const std::string& name) const {
  for (const QuestionSplit& split : splits_) {
    if (split.name == name) return split;
  }
  throw TrialError(
      fmt::format("data set '{}' has no split '{}'; it has {}", name_, name, joined(splits())));
}

}  // namespace rethink
