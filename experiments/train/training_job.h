// The common parts of jobs with a training loop: facts and rules of options, measurements, and the
// files that a trial leaves.
#pragma once

#include <ATen/core/Tensor.h>

#include <map>
#include <string>
#include <vector>

#include "core/config/options.h"
#include "datasets/dataset.h"
#include "experiments/attempt/job.h"

namespace rethink {

class Trainer;

class TrainingJob : public Job {
 public:
  /// Throws OutOfMemoryError if LibTorch runs out of memory.
  JobOutcome run(JobContext& context) final;

 protected:
  virtual JobOutcome train(JobContext& context) const = 0;
};

/// Returns the data set that a job's option `data` chooses. Throws as DatasetRegistry::make and require_kind.
template <typename Kind>
std::shared_ptr<Kind> data_of(const JobContext& context, const Choice<"dataset", "dataset">& data) {
  const DataFolders folders{context.runtime.data, context.runtime.cache};
  return require_kind<Kind>(datasets().make(data.name, *data.options, folders), data.name);
}

/// Returns the fact `metrics` of a job that a Trainer runs. `metrics` says which metrics a split has.
JobMetrics training_metrics(JobMetrics metrics);
/// Returns the same for a job with the metrics of its data set.
NamedMetrics metrics_of_the_data_set();

/// Returns the rules that evaluate.splits are splits of data.dataset, and that each has its file
/// (the fact "optional_splits", datasets/dataset.h).
std::vector<Rule> splits_of_the_data_set();
/// Returns the rule that max_length is at most model.max_positions.
Rule a_position_for_every_token();
/// Returns the rule that the length is at most that of the attention's mask, if it has one.
Rule a_mask_for_every_token();

/// Number of used examples of a split.
struct SplitSize {
  size_t used = 0;
  size_t whole = 0;  // published examples; if unknown, existing examples without a limit
};

/// Writes the measurements SPLIT_examples and SPLIT_examples_official, by which tables mark partial
/// data. Requires: the trainer has written its start event, which must be the first event and
/// contains the resume step.
void write_split_size(const std::string& split, const SplitSize& size, EventLog& events);

/// Writes the measurement hint_coverage (datasets/text/syntax_hints.h) and a message with it, a warning if hardly any
/// tree is found. Requires: the start event is written (`before_steps` of Trainer::run).
void write_hint_coverage(double share, EventLog& events);

// Artifacts of a training trial.

/// Returns the `predictions` whose names begin with "SPLIT/", without this prefix.
std::map<std::string, at::Tensor> predictions_of(
    const std::string& split, const std::map<std::string, at::Tensor>& predictions);

/// Publishes predictions.safetensors, and adds to the result the better direction of each of the
/// job's `metrics` and of the score: {"directions": {"perplexity": "min", "score": "min"}}.
void leave_predictions(const Trainer& trainer, const std::vector<std::string>& metrics,
                       JobContext& context);

/// Publishes a file of predictions for `rethink score` and official servers: kind
/// "prediction_file", with the fact "split".
void leave_prediction_file(const std::string& name, const std::string& text,
                           const std::string& split, JobContext& context);

/// Publishes weights.safetensors, under our names, with the configuration. Its hash is in the
/// result even if the file is not kept: equal runs have equal hashes.
void leave_weights(const Trainer& trainer, JobContext& context);

}  // namespace rethink
