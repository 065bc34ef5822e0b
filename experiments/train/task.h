// The interface between the training loop and a job's task.
#pragma once

#include <torch/nn/module.h>

#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/activation_bytes.h"
#include "core/philox.h"
#include "experiments/train/optimizer.h"
#include "models/attention/attention.h"

namespace rethink {

class State;

/// Data of one update.
struct Batch {
  std::map<std::string, at::Tensor> columns;
  int64_t tokens = 0;    // predicted tokens
  int64_t read = 0;      // tokens that the model reads, without padding
  double divisor = 1.0;  // divisor of the sum of losses
  bool begins = false;   // of a stream that is read in order: its rows have no earlier tokens
};

/// Returns the batch with its columns on `device`. Does not wait for the device.
Batch on_device(const Batch& batch, const at::Device& device);

/// The result of one pass over a batch. The batch, not the pass, has the divisor of its sum, before the first pass of a
/// step, since a step divides by the sum over all its batches while each pass has its own backward pass.
struct BatchLoss {
  at::Tensor sum;      // of the losses of all predicted tokens, float [], on the model's device
  double flops = 0.0;  // floating-point operations of this pass, forward and backward
  Recorder record;     // losses and numbers that the model's attention adds
};

/// An evaluation of one split.
struct EvaluationPass {
  uint64_t seed = 0;
  int64_t step = 0;
  std::function<void()> alive;  // called after every batch, since evaluations may take minutes
  size_t most = std::numeric_limits<size_t>::max();  // examples, from the split's beginning
};

/// Results of an evaluation.
struct SplitResult {
  std::map<std::string, double> values;  // by metric
  std::map<std::string, at::Tensor>
      predictions;  // by name; mostly [N], in the split's order, on the CPU
};

class Task {
 public:
  virtual ~Task() = default;
  virtual torch::nn::Module& model() = 0;
  /// Returns what the optimizer updates: the model's weights, and the scores of masks that
  /// attention learns (may be none), which are not weights and do not decay.
  virtual std::vector<ParameterGroup> parameter_groups();

  virtual int64_t num_batches(int64_t epoch) const {
    return static_cast<int64_t>(epoch_batches(epoch).size());
  }
  /// Returns the batches of epoch `epoch`, from 0, as indices of training sequences. A pure function.
  virtual std::vector<std::vector<uint32_t>> epoch_batches(int64_t epoch) const = 0;
  /// Returns the size of the largest training batch if one pass may take several batches of a step.
  /// Their indices are then joined, and the step's loss stays the same except for other dropout.
  /// Returns nothing if each batch needs its own pass.
  virtual std::optional<PassShape> joinable_batch() const { return std::nullopt; }
  /// Returns the tokens of a batch of these training sequences, padding included.
  virtual int64_t padded_tokens(const std::vector<uint32_t>& indices) const {
    return static_cast<int64_t>(indices.size());
  }
  /// Returns a batch on the CPU. Thread: called by the loop's background thread while the model trains.
  virtual Batch batch(const std::vector<uint32_t>& indices) const = 0;
  /// Makes one pass over a batch. Random: Philox, keyed by `pass`.
  virtual BatchLoss loss(const Batch& batch, PhiloxKey pass) = 0;
  /// Records attention in a pass over `batch`, in evaluation mode and without gradients. Restores
  /// the weights and the mode. Requires: may_drop_batches().
  Recorder look_at(const Batch& batch);
  /// Visits what a resume needs beside the model's weights and the position in the data.
  virtual void visit(State&) {}
  /// Returns whether a step may be abandoned half way: its passes change nothing that visit()
  /// shows.
  virtual bool may_drop_batches() const { return true; }

  /// Returns metric values and per-example predictions on a split. Restores weights and generators.
  /// Requires: the model is in evaluation mode.
  virtual SplitResult evaluate(const std::string& split, const EvaluationPass& pass) = 0;
  /// Returns the metric that is used if the options name none.
  virtual std::string default_metric() const = 0;
  /// Returns the loss per token of a guess [nats], with which divergence is measured.
  virtual double guessing_loss() const = 0;

 protected:
  /// Arguments that loss() passes to the model.
  Recorder new_record() const { return {.keep_maps = keeps_maps_}; }

 private:
  bool keeps_maps_ = false;
};

}  // namespace rethink
