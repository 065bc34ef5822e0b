// Diagnostics of a training beside its loss: values at points of the curve, and for each of the last steps if
// the training diverges (docs/query.md, "Why a training diverged").
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <string>
#include <vector>

#include "experiments/train/optimizer.h"
#include "experiments/train/task.h"

namespace rethink {

class DeviceNumbers;
class EventLog;
class State;

class Diagnostics {
 public:
  /// Points are before the first step, at every `every`-th step and at the last of `total_steps`. Without `every`,
  /// the distance is a multiple of `log_every`: at most 20 points up to 320 steps, beyond that at most 200 points,
  /// at least 16 steps apart. With `every` 0 there are no points. All arguments must outlive the object.
  Diagnostics(Task& task, const NamedTensors& parameters, const std::string& precision,
              std::optional<int64_t> every, int64_t log_every, int64_t total_steps);

  bool is_due(int64_t step) const;

  /// After each step. Never waits for the device.
  ///
  /// loss_sum        float [], over the step's `tokens` predicted tokens
  /// gradient_norm   float [], before clipping; undefined if it was not computed
  void add_step(int64_t step, const at::Tensor& loss_sum, double tokens,
                const at::Tensor& gradient_norm);

  /// While the loss is too high, the steps before its first rise are kept beside the last steps, since a training
  /// ends as diverged many steps after its loss rose.
  void set_too_high(bool is_too_high);

  /// Adds metrics of the split `train`: `gradient_norm` of the newest step, `parameter_norm`, and for the N-th
  /// attention of the model `attention_entropy_N` [nats], the mean over heads and queries, and `attention_logit_N`,
  /// the largest score before the softmax, on one training example without dropout. Never waits for the device.
  void add_point(DeviceNumbers& numbers, uint32_t example);

  /// `step_loss` [nats per token] and, where gradients are clipped, `step_gradient_norm` of the first step, of the
  /// steps before the loss was too high, and of the last ones, as metrics of the split `train`. Waits for the device
  /// once.
  void write_last_steps(EventLog& events) const;

  void visit(State& state);

 private:
  struct Step {
    int64_t step = 0;
    at::Tensor loss_sum;
    double tokens = 0.0;
    at::Tensor gradient_norm;
  };
  static constexpr size_t kLastSteps = 50;

  void add_attention(DeviceNumbers& numbers, uint32_t example);
  void forget_early_steps();

  Task& task_;
  const NamedTensors& parameters_;
  const std::string& precision_;
  const int64_t every_, total_steps_;
  const bool has_attention_;
  std::vector<Step> last_;  // the first step, those before the loss was too high, and the last ones
  size_t num_fixed_ = 1;    // of the first of these, which no later step replaces
};

}  // namespace rethink
