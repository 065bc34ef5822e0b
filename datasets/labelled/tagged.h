// Sentences of words with tags of entities (CoNLL-2003). Facts of such a data set, beside those of
// dataset.h (kind "tagged"): "metric": what papers report; "metrics": all that are measured, that
// one first.
#pragma once

#include <string>
#include <vector>

#include "core/json_fwd.h"
#include "datasets/dataset.h"
#include "datasets/labelled/conll_file.h"

namespace rethink {

struct TaggedSplit {
  std::string name;
  std::vector<TaggedSentence> sentences;
};

class TaggedDataset : public Dataset {
 public:
  /// Throws TrialError if no word of any split is part of an entity.
  TaggedDataset(std::string name, std::vector<TaggedSplit> splits);

  /// Returns the possible tags of a word: "O", then "B-TYPE" and "I-TYPE" for every type of the
  /// splits, sorted by type.
  const std::vector<std::string>& labels() const { return labels_; }
  std::vector<std::string> splits() const override;
  /// Throws TrialError when there is no such split.
  const TaggedSplit& split(const std::string& name) const;

 private:
  std::string name_;
  std::vector<TaggedSplit> splits_;
  std::vector<std::string> labels_;
};

/// Returns the tags of the same entities in IOB2: every first word has B-. In IOB1 only a first
/// word behind another entity of the same type has B-. IOBES also marks ends and single words.
std::vector<std::string> iob2_tags(const std::vector<std::string>& tags);

/// Facts of every tagged data set: kind, metric, metrics.
DatasetFacts tagged_facts();

}  // namespace rethink
