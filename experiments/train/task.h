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
  int64_t tokens = 0;    // predicted
  int64_t read = 0;      // tokens that the model reads, padding not counted
  double divisor = 1.0;  // what the sum of losses is divided by
  bool begins = false;   // of a stream that is read in order: nothing stands before its rows
};

/// Returns the same with its columns on `device`. Never waits for it.
Batch on_device(const Batch& batch, const at::Device& device);

/// What one pass over a batch costs the model. What its sum is divided by the batch says: before the
/// first pass of a step, since a step divides by all of its batches, and each pass goes back alone.
struct BatchLoss {
  at::Tensor sum;      // of the losses of all predicted tokens, float [], on the model's device
  double flops = 0.0;  // floating-point operations of this pass, forward and backward
  Recorder record;     // what the model's attention adds to the loss, and reports
};

/// An evaluation of one split.
struct EvaluationPass {
  uint64_t seed = 0;
  int64_t step = 0;
  std::function<void()> alive;  // to be called after every batch: evaluations may take minutes
  size_t most = std::numeric_limits<size_t>::max();  // examples, from the split's beginning
};

/// Results of an evaluation.
struct SplitResult {
  std::map<std::string, double> values;  // by metric
  std::map<std::string, at::Tensor>
      predictions;  // mostly [N], in the split's order, on the CPU; by name
};

class Task {
 public:
  virtual ~Task() = default;
  virtual torch::nn::Module& model() = 0;
  /// What the optimizer updates: the model's weights, and the scores of masks that attention
  /// learns (may be none), which are no weights and do not decay.
  virtual std::vector<ParameterGroup> parameter_groups();

  virtual int64_t num_batches(int64_t epoch) const {
    return static_cast<int64_t>(epoch_batches(epoch).size());
  }
  /// Batches of epoch `epoch`, from 0, as indices of training sequences. Pure.
  virtual std::vector<std::vector<uint32_t>> epoch_batches(int64_t epoch) const = 0;
  /// The size of the largest training batch, where one pass may take several batches of a step: they are
  /// joined by their indices, and the loss of the step stays the same but for other dropout. Nothing
  /// where each batch needs a pass of its own.
  virtual std::optional<PassShape> joinable_batch() const { return std::nullopt; }
  /// Returns the tokens of a batch of these training sequences, padding included.
  virtual int64_t padded_tokens(const std::vector<uint32_t>& indices) const {
    return static_cast<int64_t>(indices.size());
  }
  /// On the CPU. Thread: called by the loop's background thread while the model trains.
  virtual Batch batch(const std::vector<uint32_t>& indices) const = 0;
  /// One pass over a batch. Random: Philox, keyed by `pass`.
  virtual BatchLoss loss(const Batch& batch, PhiloxKey pass) = 0;
  /// What attention does in a pass over `batch`, in evaluation mode and without gradients. Leaves the weights and the
  /// mode as they were. Requires: may_drop_batches().
  Recorder look_at(const Batch& batch);
  /// What a resume needs beside the model's weights and the place in the data.
  virtual void visit(State&) {}
  /// Returns whether a step may be abandoned half way: its passes change nothing that visit()
  /// shows.
  virtual bool may_drop_batches() const { return true; }

  /// Metric values and per-example predictions on a split. Leaves weights and generators as they
  /// were. The model is in evaluation mode.
  virtual SplitResult evaluate(const std::string& split, const EvaluationPass& pass) = 0;
  /// The metric that an option left open.
  virtual std::string default_metric() const = 0;
  /// Loss per token of a guess, which divergence is measured against [nats].
  virtual double guessing_loss() const = 0;

 protected:
  /// Arguments that loss() passes to the model.
  Recorder new_record() const { return {.keep_maps = keeps_maps_}; }

 private:
  bool keeps_maps_ = false;
};

}  // namespace rethink
