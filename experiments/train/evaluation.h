// The evaluations of one training run: curves, final values, the best weights on dev, patience.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "experiments/train/task.h"
#include "experiments/train/train_options.h"

namespace rethink {

class EventLog;
class State;

class Evaluation {
 public:
  /// Throws ConfigError if the options need a dev split that does not exist.
  Evaluation(const EvaluateOptions& options, Task& task, EventLog& events, uint64_t seed);

  /// Returns whether an evaluation follows `step`.
  bool is_due(int64_t step, bool epoch_ended) const;
  /// Evaluates the splits, without test if it waits for the end, and only the first examples of a limited dev. Writes a
  /// point of each curve and remembers the best. Calls `alive` after every batch.
  void run(int64_t step, const std::function<void()>& alive);
  /// Returns whether a split waits for the end of training: test, or all of dev if it is limited
  /// until then (`evaluate.test`, `evaluate.dev_examples`).
  bool has_end() const { return !at_end_.empty(); }
  /// Evaluates these splits with the weights of the newest evaluation, which the model has, and,
  /// inside `with_best_weights`, with the best weights. Requires: has_end(), and run() was called.
  void run_end(const std::function<void()>& alive,
               const std::function<void(const std::function<void()>&)>& with_best_weights);
  bool patience_is_spent() const;
  /// Writes NAME@last, NAME@best and, if requested, NAME@min_test, all at `step`, the last step of
  /// the run.
  void write_final(int64_t step) const;
  /// Returns weights and buffers of the best evaluation; empty if the last weights are kept.
  const std::map<std::string, at::Tensor>& best_weights() const { return best_weights_; }
  /// Returns whether the last evaluation's value of the metric of choices is finite.
  bool is_finite() const;
  /// Returns which value of the reported evaluation means a loss above `bound` [nats per token]:
  /// "dev/perplexity 4.2e+30 is a loss of 70.51"; "" if none does.
  std::string loss_above(double bound) const;
  /// Returns the predictions of the reported evaluation (the best, if the best is kept), by "dev/nll"; [N] each.
  const std::map<std::string, at::Tensor>& predictions() const;
  /// Returns the metric by which choices are made, the score.
  const std::string& metric() const { return metric_; }
  int64_t last_step() const { return last_step_; }
  int64_t reported_step() const { return best_weights_.empty() ? last_step_ : best_step_; }
  void visit(State& state);

 private:
  using Values = std::map<std::string, double>;           // "dev/perplexity": value
  using Predictions = std::map<std::string, at::Tensor>;  // "dev/nll"
  /// Evaluates the split's first `most` examples into `values` and `predictions`.
  void evaluate(const std::string& split, int64_t step, size_t most,
                const std::function<void()>& alive, Values& values, Predictions& predictions);
  /// Writes a point of the split's curves.
  void write_point(const std::string& split, int64_t step, const Values& values);
  void evaluate_end(int64_t step, const std::function<void()>& alive, Values& values,
                    Predictions& predictions);
  void remember_best(int64_t step);

  const EvaluateOptions& options_;
  Task& task_;
  EventLog& events_;
  const uint64_t seed_;
  const std::string metric_;
  const std::vector<std::string> at_end_;  // splits
  int64_t last_step_ = -1, best_step_ = -1, since_best_ = 0;
  std::optional<double> best_score_;
  Values last_, best_, min_test_;
  std::map<std::string, at::Tensor> best_weights_;
  Predictions last_predictions_, best_predictions_;
};

}  // namespace rethink
