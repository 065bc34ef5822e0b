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
  /// translations choose. Words are separated by white space, so tokens that are pieces of words
  /// are underestimated. A pair of sentences counts with the mean of both lengths. If a file
  /// contains several splits, the options' shares are used; without shares the whole file counts.
  /// If a tokenizer cuts the text into sequences, their length is `longest` [tokens]. A
  /// packed file has the size that the data set states. Returns nothing for another kind of data set,
  /// or if a file is missing or is not plain text. Cost: reads the first 16 MiB of each file and
  /// extrapolates. `split` may also be another split.
  std::optional<TrainingText> of(const DatasetFacts& dataset, const Json& data, double longest,
                                 const std::string& split = "train");

 private:
  const std::filesystem::path folder_;
  std::map<std::string, std::optional<TrainingText>> known_;  // by split, options and longest
};

}  // namespace rethink
