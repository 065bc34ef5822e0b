// What the benchmarks of optimisation steps have in common.
#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "core/json.h"
#include "core/options.h"
#include "core/schema.h"
#include "experiments/attempt/checkpoint_folder.h"
#include "experiments/attempt/event_log.h"
#include "experiments/train/loop.h"

namespace rethink {

/// A benchmark of this program: what stands in its help, and what runs it.
struct StepBenchmark {
  std::string summary;
  OptionsSchema options;
  void (*run)(const Json& options);  // prints JSON, one object a line
};

StepBenchmark lm_step_benchmark();
StepBenchmark encoder_step_benchmark();

/// The training loop's own steps, outside of any trial; what it would write goes to a folder that
/// disappears with it.
class BenchTrainer {
 public:
  /// `task` and `options` must outlive it. Throws MachineError.
  BenchTrainer(Task& task, const TrainOptions& options, int threads, at::Device device);
  ~BenchTrainer();
  BenchTrainer(const BenchTrainer&) = delete;
  BenchTrainer& operator=(const BenchTrainer&) = delete;

  void step(const Batch& batch) { trainer_.step_once({&batch, 1}); }

 private:
  const std::filesystem::path folder_;
  const Trial trial_;
  const Runtime runtime_;
  const std::atomic<bool> stop_ = false;
  EventLog events_;
  CheckpointFolder checkpoints_;
  JobContext context_;
  Trainer trainer_;
};

/// How long `work` takes [ms].
double time_ms(const std::function<void()>& work);

/// Program, build, processor, backend, LibTorch, threads: what a figure belongs to. Members of a
/// JSON object, without its braces.
std::string machine_members();

/// The number of times, their median and the tenth and ninetieth of a hundred, and the most memory
/// that this process has had so far. Requires: not empty.
std::string spread_members(std::vector<double> times_ms);

}  // namespace rethink
