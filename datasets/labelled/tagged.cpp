#include "datasets/labelled/tagged.h"

#include <fmt/format.h>

#include <set>

#include "core/json.h"
#include "datasets/dataset.h"
#include "datasets/scores/entities.h"

namespace rethink {

TaggedDataset::TaggedDataset(std::string name, std::vector<TaggedSplit> splits)
    : name_(std::move(name)), splits_(std::move(splits)), labels_({"O"}) {
  std::set<std::string> types;
  for (const TaggedSplit& split : splits_) {
    for (const TaggedSentence& sentence : split.sentences) {
      for (const Entity& entity : entities_of(sentence.tags)) types.insert(entity.type);
    }
  }
  if (types.empty())
    throw TrialError("empty-split", fmt::format("data set '{}' has no entity", name_));
  for (const std::string& type : types) {
    labels_.push_back(entity_tag('B', type));
    labels_.push_back(entity_tag('I', type));
  }
}

std::vector<std::string> TaggedDataset::splits() const {
  return names_of(splits_);
}

const TaggedSplit& TaggedDataset::split(const std::string& name) const {
  return split_named(name, splits_, name_);
}

std::vector<std::string> iob2_tags(const std::vector<std::string>& tags) {
  std::vector<std::string> iob2(tags.size(), "O");
  for (const Entity& entity : entities_of(tags)) {
    for (size_t word = entity.first; word < entity.end; ++word)
      iob2[word] = entity_tag(word == entity.first ? 'B' : 'I', entity.type);
  }
  return iob2;
}

DatasetFacts tagged_facts() {
  return {.kind = "tagged", .metric = "f1", .metrics = {"f1", "accuracy", "loss"}};
}

}  // namespace rethink
