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
  /// Throws OutOfMemoryError for what LibTorch throws when memory runs out.
  JobOutcome run(JobContext& context) final;

 protected:
  virtual JobOutcome train(JobContext& context) const = 0;
};

/// The data set that a job's option `data` chooses. Throws as DatasetRegistry::make and require_kind.
template <typename Kind>
std::shared_ptr<Kind> data_of(const JobContext& context, const Choice<"dataset", "dataset">& data) {
  const DataFolders folders{context.runtime.data, context.runtime.cache};
  return require_kind<Kind>(datasets().make(data.name, *data.options, folders), data.name);
}

/// The fact `metrics` of a job that a Trainer runs. `metrics`: what says which metrics a split has.
JobMetrics training_metrics(JobMetrics metrics);
/// The same for a job whose metrics are those of its data set.
NamedMetrics metrics_of_the_data_set();

/// evaluate.splits are among those of data.dataset, and none is one whose file is not given (the fact
/// "optional_splits", datasets/dataset.h).
std::vector<Rule> splits_of_the_data_set();
/// max_length is not above model.max_positions.
Rule a_position_for_every_token();
/// Returns the rule that the length is at most that of the attention's mask, if it has one.
Rule a_mask_for_every_token();

/// How many examples of a split are used.
struct SplitSize {
  size_t used = 0;
  size_t whole = 0;  // that were published; where nobody says, that there are without a limit
};

/// The measurements SPLIT_examples and SPLIT_examples_official, by which tables mark partial data.
/// Not before the trainer's run: its start event says at which step it goes on, and it is the
/// first.
void write_split_size(const std::string& split, const SplitSize& size, EventLog& events);

/// The measurement hint_coverage (datasets/text/syntax_hints.h), and a message that says it, a warning
/// where hardly any tree is found. Not before the start event: Trainer::run's `before_steps`.
void write_hint_coverage(double share, EventLog& events);

// What a training trial leaves beside its metrics.

/// Returns those of `predictions` whose names begin with "SPLIT/", without this prefix.
std::map<std::string, at::Tensor> predictions_of(
    const std::string& split, const std::map<std::string, at::Tensor>& predictions);

/// predictions.safetensors, and in the result which way each of the job's `metrics` is better, and
/// the score: {"directions": {"perplexity": "min", "score": "min"}}.
void leave_predictions(const Trainer& trainer, const std::vector<std::string>& metrics,
                       JobContext& context);

/// A file of predictions as `rethink score` and official servers read it: kind "prediction_file",
/// with the fact "split".
void leave_prediction_file(const std::string& name, const std::string& text,
                           const std::string& split, JobContext& context);

/// weights.safetensors, under our names, with the configuration; its hash is in the result even
/// where the file is not kept: equal runs have equal hashes.
void leave_weights(const Trainer& trainer, JobContext& context);

}  // namespace rethink
