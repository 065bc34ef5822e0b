// What the jobs with a training loop have in common.
#pragma once

#include <string>

#include "core/json_fwd.h"
#include "experiments/attempt/job.h"

namespace rethink {

class TrainingJob : public Job {
 public:
  /// Throws OutOfMemoryError for what LibTorch throws when memory runs out.
  JobOutcome run(JobContext& context) final;

 protected:
  virtual JobOutcome train(JobContext& context) const = 0;
};

/// The fact "metrics" (experiments/attempt/job.h) of a job that a Trainer runs. `names`: the members
/// that say which metrics a split has.
Json training_metrics(Json names);

/// evaluate.splits are among those of data.dataset, and none is one whose file is not given (the fact
/// "optional_splits", datasets/dataset.h).
std::vector<Rule> splits_of_the_data_set();
/// max_length is not above model.max_positions.
Rule a_position_for_every_token();
/// Nor above the length of the attention's mask, where it has one.
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

}  // namespace rethink
