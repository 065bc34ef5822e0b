// Counts the text that a trial trains on, in the files of its data set.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "core/facts/dataset_facts.h"
#include "core/json.h"

namespace rethink {

struct TrainingText {
  double tokens = 0;  // of one epoch
  double pairs = 0;   // of tokens: the sum of the squared lengths of all sequences
  double sequences = 0;
};

/// Counts of several trials. Each text is counted once.
class TrainingTexts {
 public:
  /// `folder`: of data sets; empty: none is named, and only absolute paths are found.
  explicit TrainingTexts(std::filesystem::path folder) : folder_(std::move(folder)) {}

  /// Returns the training text that the options `data` of a data set of running text or of
  /// translations choose. A word is what blanks surround, so that pieces of words count less than
  /// they are; a pair of sentences has their mean length. A file with other splits counts as far as
  /// the options say their shares, else whole. Of sequences that a tokenizer finds, `longest`
  /// [tokens] is the length. Returns nothing for another kind of data set, and if a file is missing
  /// or is not plain text. Cost: reads the first 16 MiB of each file; more is extrapolated.
  /// Another `split` is counted alike.
  std::optional<TrainingText> of(const DatasetFacts& dataset, const Json& data, double longest,
                                 const std::string& split = "train");

 private:
  const std::filesystem::path folder_;
  std::map<std::string, std::optional<TrainingText>> known_;  // by split, options and longest
};

}  // namespace rethink
