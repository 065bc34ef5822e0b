// The training loop: `Trainer::step_once` is one optimisation step; `Trainer::run` is everything
// around it.
#pragma once

#include <ATen/core/Tensor.h>

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "experiments/attempt/job.h"
#include "experiments/train/batches/batch_stream.h"
#include "experiments/train/diagnostics.h"
#include "experiments/train/evaluation.h"
#include "experiments/train/optimizer.h"
#include "experiments/train/schedules.h"
#include "experiments/train/task.h"
#include "experiments/train/train_options.h"

namespace rethink {

class Bfloat16Weights;
class State;

/// Trains the model of `task` on `device`, where it already is. All arguments must outlive the
/// trainer.
class Trainer {
 public:
  Trainer(Task& task, const TrainOptions& options, at::Device device, JobContext& context);
  ~Trainer();

  /// Resumes from the newest sound checkpoint, trains to the end, writes curves, checkpoints, final
  /// metrics and measurements. On context.stop it writes a checkpoint and returns interrupted.
  /// `before_steps` writes further events after the start event and before the first step.
  JobOutcome run(const std::function<void()>& before_steps = {});

  /// Makes one optimisation step, with one pass over each batch, which is copied to the device
  /// shortly before. Never waits for the device. Returns false if the trial must stop before a long
  /// step is done; nothing has changed then.
  bool step_once(std::span<const Batch> batches);

  /// Returns the weights that the trial keeps, by evaluate.keep.
  std::map<std::string, at::Tensor> kept_weights() const;

  /// Calls `use` with these weights in the model; afterwards the last step's weights are restored.
  void with_kept_weights(const std::function<void()>& use);

  /// Returns per-example predictions of the reported evaluation, by "dev/nll"; [N] each.
  const std::map<std::string, at::Tensor>& predictions() const { return evaluation_.predictions(); }

  /// Returns the metric that is the score.
  const std::string& metric() const { return evaluation_.metric(); }

  /// Returns the task's predictions for a split with the weights that the trial keeps, named as in
  /// predictions() but without the split. Records nothing. Requires: run() ended with done.
  std::map<std::string, at::Tensor> predict(const std::string& split);

  /// Visits everything that a resume needs.
  void visit(State& state);

 private:
  /// Computes the loss. The backward pass is outside of it, since gradients have the precision of their tensors.
  BatchLoss loss_of(const Batch& batch, PhiloxKey pass);
  JobOutcome after_step(const std::vector<BatchStream::Item>& items);
  /// Writes a sign of life. Returns whether a step that began at `start` must be abandoned, since
  /// the trial must stop and the rest of the step may take longer than the driver waits.
  bool gives_up_step(std::chrono::steady_clock::time_point start);
  /// Returns whether the trial must stop, and work that began at `start` has had its time to end.
  bool stops_work_since(std::chrono::steady_clock::time_point start) const;
  /// Calls evaluate(alive), which must call `alive` after each batch. `alive` writes a sign of life, and ends an
  /// evaluation that lasts too long after a stop. Returns false if the evaluation was ended.
  bool evaluates(const std::function<void(const std::function<void()>& alive)>& evaluate);
  JobOutcome interrupted();
  double checkpoint_every_s() const;
  /// Writes the points of the step's curves: at step 0 the diagnostics, if there are any.
  void write_points(uint32_t example);
  /// Begins the next window of the loss, and detects divergence.
  void end_window(double window_loss);
  void write_rates();
  /// Adds the time since training_since_ to the training time. Requires: the device has done its work.
  void add_training_time();
  /// Does the same after the device has done its work.
  void count_training_time();
  void resume();
  /// Returns numeric_environment(), and the number of batches per pass if it is more than one.
  Json recorded_environment() const;
  void write_inexact(const Json& before, const Json& now);
  /// Writes the path of attention, which is known only after the first step of this attempt.
  void write_attention_path();
  void checkpoint();
  /// Returns nothing before the first point of the curve.
  std::optional<double> newest_loss() const {
    return step_ < options_.log_every ? std::nullopt : std::optional(last_loss_);
  }
  bool is_last_step() const { return step_ >= total_steps_ || evaluation_.patience_is_spent(); }
  /// Evaluates at this step. Returns false if a stop ended the evaluation; a resume repeats it.
  bool evaluate();
  /// Evaluates the splits that waited for the end, after the last step. Returns as evaluate().
  bool evaluate_end();
  /// Loss of a token above which training counts as diverging [nats].
  double divergence_bound() const { return options_.divergence.factor * task_.guessing_loss(); }
  /// Ends the trial as diverged if the newest evaluation is NaN or infinite.
  void require_finite_score();
  /// Ends the trial as diverged if the reported evaluation has a loss above the bound. Training of fewer than
  /// divergence.steps steps, or the last steps of any training, can fail without that many steps of too high loss.
  void require_reported_loss();
  void write_measurements();
  void write_peak_memory();

  Task& task_;
  const TrainOptions& options_;
  const at::Device device_;
  JobContext& context_;
  const uint64_t seed_;
  const int64_t total_steps_;
  const std::vector<ParameterGroup> groups_;
  const NamedTensors parameters_;                            // of all groups
  const std::unique_ptr<Bfloat16Weights> bfloat16_weights_;  // null except in bfloat16 on a GPU
  const std::shared_ptr<Optimizer> optimizer_;
  const std::shared_ptr<Schedule> schedule_;
  Evaluation evaluation_;
  Diagnostics diagnostics_;

  int64_t batches_of_pass_ = 1;  // batches of a step that one pass takes

  int64_t step_ = 0;               // updates done
  int64_t evaluation_is_due_ = 0;  // 1: an evaluation of this step has not ended
  DataPosition position_;
  at::Tensor window_loss_;  // f64 [], on the device: sum since the last point of the curve
  /// f64 [], sums since that point of numbers that passes recorded, times their tokens
  std::map<std::string, at::Tensor> window_numbers_;
  int64_t window_tokens_ = 0, window_steps_ = 0;
  int64_t steps_too_high_ = 0;  // consecutive steps with a loss that counts as diverging
  double last_loss_ = 0.0;      // nats per token
  bool diverged_ = false;
  int64_t tokens_seen_ = 0;
  int64_t tokens_at_point_ = 0;  // seen at the newest point of the diagnostics, by this attempt
  double training_s_at_point_ = 0.0;
  double flops_ = 0.0, training_s_ = 0.0, evaluation_s_ = 0.0;
  std::chrono::steady_clock::time_point training_since_, last_checkpoint_;
  int64_t checkpoint_step_ = 0;  // of the newest checkpoint
  bool path_is_written_ = false;
  std::string attention_before_;  // attention paths of the steps before the checkpoint; "" unknown
};

}  // namespace rethink
