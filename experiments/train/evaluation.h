// The evaluations of one training run: curves, final values, the best on dev with its weights,
// patience.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>

#include "experiments/train/task.h"
#include "experiments/train/train_options.h"

namespace rethink {

class EventLog;
class State;

class Evaluation {
 public:
  /// Throws ConfigError when the options ask for a choice that there is no dev split for.
  Evaluation(const EvaluateOptions& options, Task& task, EventLog& events, uint64_t seed);

  /// Whether one belongs after `step`.
  bool is_due(int64_t step, bool epoch_ended) const;
  /// Evaluates all splits, writes a point of each curve, remembers the best. Calls `alive` after
  /// every batch.
  void run(int64_t step, const std::function<void()>& alive);
  bool patience_is_spent() const;
  /// Writes NAME@last, NAME@best and, if asked for, NAME@min_test, all at `step`, the run's last
  /// one.
  void write_final(int64_t step) const;
  /// Weights and buffers of the best evaluation; empty when the last ones are kept.
  const std::map<std::string, at::Tensor>& best_weights() const { return best_weights_; }
  /// The last evaluation's values of the metric that choices go by are numbers.
  bool is_finite() const;
  /// Of the reported evaluation (the best when the best is kept), by "dev/nll"; [N] each.
  const std::map<std::string, at::Tensor>& predictions() const;
  /// What choices go by, and the score is.
  const std::string& metric() const { return metric_; }
  int64_t last_step() const { return last_step_; }
  int64_t reported_step() const { return best_weights_.empty() ? last_step_ : best_step_; }
  void visit(State& state);

 private:
  void remember_best(int64_t step);

  const EvaluateOptions& options_;
  Task& task_;
  EventLog& events_;
  const uint64_t seed_;
  const std::string metric_;
  int64_t last_step_ = -1, best_step_ = -1, since_best_ = 0;
  std::optional<double> best_score_;
  std::map<std::string, double> last_, best_, min_test_;  // "dev/perplexity": value
  std::map<std::string, at::Tensor> best_weights_;
  std::map<std::string, at::Tensor> last_predictions_, best_predictions_;  // "dev/nll"
};

}  // namespace rethink
