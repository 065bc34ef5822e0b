// Texts with labels, for fine-tuning: a class or a score of a sentence or a pair (GLUE), or which
// of several continuations is right (SWAG). Facts of such a data set, beside those of dataset.h
// (kind "labelled"):
//   "labels": names of the classes in order, as its files and GLUE's server write them; null if the
//       label is a score or the number of the right choice
//   "other_names": the names of these classes in Hugging Face's datasets, if "labels" are numbers;
//       missing for all others
//   "choices": number of inputs of an example, one of them right; 1 = the example is one input
//   "metric": what papers report; "metrics": all metrics of the official scorer, that one first
//   "examples": {"train": 8551, ...}: numbers of examples in the published splits
//   "unlabelled": splits without labels, which an official server scores
//   "submissions": {"test": "CoLA.tsv"}: the file names that the server expects for predictions
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/json_fwd.h"
#include "datasets/dataset.h"

namespace rethink {

/// The input of a model for one sequence.
struct LabelledInput {
  std::string first;
  std::optional<std::string> second;  // of a pair
};

struct LabelledExample {
  std::vector<LabelledInput> inputs;  // one, or one for each choice
  std::optional<double> label;  // class, number of the right choice, or score; none: not published
  std::string index;            // the example's name or number in the official files
};

struct LabelledTask {
  std::vector<std::string> labels;  // of the classes; empty: a score, or a choice
  int64_t choices = 1;
  std::vector<std::string>
      metrics;  // the default first: names of datasets/scores/labelled_metrics.h
  /// Names in Hugging Face's datasets of classes whose `labels` are numbers; else empty.
  std::vector<std::string> other_names{};

  bool is_score() const { return labels.empty() && choices == 1; }
};

struct LabelledSplit {
  std::string name;
  std::vector<LabelledExample> examples;
  size_t whole_size = 0;  // examples without a limit on their number
};

/// Options of every labelled data set.
struct LabelledOptions {
  int64_t train_examples = 0;
  double holdout = 0;

  void fields(Fields& field);
};

class LabelledDataset : public Dataset {
 public:
  /// `splits` are the read splits, "train" among them. `options` make a split "holdout" of a part
  /// of train, behind the others, and limit the number of examples. Throws ConfigError if no
  /// training example remains.
  LabelledDataset(const std::string& name, LabelledTask task, std::vector<LabelledSplit> splits,
                  const LabelledOptions& options);

  const std::string& name() const { return name_; }
  const LabelledTask& task() const { return task_; }
  std::vector<std::string> splits() const override;
  /// Throws TrialError when there is no such split.
  const std::vector<LabelledExample>& examples(const std::string& split) const;
  /// Examples that the split would have without train_examples.
  size_t whole_size(const std::string& split) const;

 private:
  const LabelledSplit& find(const std::string& split) const;

  std::string name_;
  LabelledTask task_;
  std::vector<LabelledSplit> splits_;
};

/// Facts that follow from the task: kind, labels, choices, metric, metrics.
DatasetFacts labelled_facts(const LabelledTask& task);
/// The task that a labelled data set's facts declare.
LabelledTask labelled_task(const DatasetFacts& facts);

/// Returns `count` of 0 ... size-1 in ascending order, drawn by Philox from its `stream`. The
/// choice is the same on every machine, and a larger choice contains the smaller ones.
std::vector<size_t> drawn(size_t size, size_t count, uint64_t stream);

/// Returns the examples at `indices` (ascending), and removes them from `examples`.
std::vector<LabelledExample> take_out(std::vector<LabelledExample>& examples,
                                      const std::vector<size_t>& indices);

}  // namespace rethink
