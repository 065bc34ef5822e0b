// The common parts of the benchmarks of optimisation steps, whose sources are named as their peers
// in tests/bench/peers.
#pragma once

#include <torch/nn/module.h>

#include <atomic>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "app/worker/bench.h"
#include "core/config/options.h"
#include "core/files/temporary_folder.h"
#include "core/json.h"
#include "experiments/attempt/checkpoint_folder.h"
#include "experiments/attempt/event_log.h"
#include "experiments/train/loop.h"

namespace rethink {

/// Options of all benchmarks of steps.
struct TimingOptions {
  int64_t steps = 30, warmup = 5, threads = 1;
  std::string device = "cpu", precision = "float32";
  std::string folder;
  bool in_turns = false;
  Json asked = Json::object();  // "benchmark" and its "options", printed with its times

  void fields(Fields& field);
  /// Returns the prepared device. Throws TrialError if it does not exist.
  at::Device ready_device() const;
};

/// Runs the training loop's own steps outside of a trial. Its files go to a temporary folder that
/// is removed with the object.
class BenchTrainer {
 public:
  /// `task` and `options` must outlive it. Throws MachineError.
  BenchTrainer(Task& task, const TrainOptions& options, const TimingOptions& timing,
               at::Device device);
  BenchTrainer(const BenchTrainer&) = delete;
  BenchTrainer& operator=(const BenchTrainer&) = delete;

  /// Requires: the batch is on the device.
  void step(const Batch& batch) { trainer_.step_once({&batch, 1}); }

 private:
  const ScratchFolder folder_;
  const Trial trial_;
  const Runtime runtime_;
  const std::atomic<bool> stop_ = false;
  EventLog events_;
  CheckpointFolder checkpoints_;
  JobContext context_;
  Trainer trainer_;
};

/// A task that keeps its newest loss, a mean over the predicted items.
template <typename Learned>
class Measured : public Learned {
 public:
  using Learned::Learned;
  BatchLoss loss(const Batch& batch, PhiloxKey pass) override {
    BatchLoss found = Learned::loss(batch, pass);
    newest_ = found.sum.detach() / batch.divisor;
    return found;
  }
  double newest_loss() const { return newest_.template item<double>(); }

 private:
  at::Tensor newest_;
};

/// A timed step, which returns a loss or the found tokens.
struct TimedStep {
  std::function<void()> step;  // the device may still be computing when it returns
  std::function<Json()> result;
  at::Device device = at::kCPU;  // the device for which a step's time waits
};

/// Runs the steps and prints their times. To alternate with a peer, it reads lines from standard
/// input, runs the number of steps in each line, and prints results beside the times.
void print_times(const TimingOptions& options, const TimedStep& timed);

/// Writes the start of a peer: model.safetensors, and the columns "i/NAME" of batch i in
/// batches.safetensors. Makes the folder; does nothing without a name.
void write_start(const std::filesystem::path& folder, const torch::nn::Module& model,
                 const std::vector<Batch>& batches);
/// Writes only the batches.
void write_batches(const std::filesystem::path& folder, const std::vector<Batch>& batches);

/// Runs training steps on the task's first batch, with the training loop's defaults.
template <typename Learned>
void time_first_batch(const TimingOptions& options, Measured<Learned>& task, at::Device device) {
  const std::vector<uint32_t> indices = task.epoch_batches(0).front();
  Batch batch = task.batch(indices);
  write_start(options.folder, task.model(), {batch});
  batch = on_device(batch, device);
  TrainOptions train;
  train.steps = options.warmup + options.steps;
  train.batch = static_cast<int64_t>(indices.size());
  train.evaluate.keep = "last";
  train.optimizer = {"adam", {{"lr", 1e-4}}, {}};
  train.precision = options.precision;
  BenchTrainer trainer(task, train, options, device);
  print_times(options, {.step = [&] { trainer.step(batch); },
                        .result = [&] { return Json(task.newest_loss()); },
                        .device = device});
}

}  // namespace rethink
