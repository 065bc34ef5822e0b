#include "app/worker/commands/bench_steps.h"

#include <ATen/ATen.h>
#include <fmt/format.h>
#include <stdlib.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>

#include "core/processor.h"
#include "experiments/attempt/build_id.h"
#include "experiments/train/device.h"

namespace rethink {
namespace {

std::filesystem::path temporary_folder() {
  std::string pattern = (std::filesystem::temp_directory_path() / "rethink-bench-XXXXXX").string();
  if (!mkdtemp(pattern.data())) throw MachineError("cannot make a temporary folder: " + pattern);
  return pattern;
}

Runtime runtime_with(int threads) {
  Runtime runtime;
  runtime.threads = threads;
  return runtime;
}

}  // namespace

BenchTrainer::BenchTrainer(Task& task, const TrainOptions& options, int threads, at::Device device)
    : folder_(temporary_folder()),
      runtime_(runtime_with(threads)),
      events_(folder_ / "events.jsonl"),
      checkpoints_(folder_ / "checkpoints", events_),
      context_{.trial = trial_,
               .runtime = runtime_,
               .inputs = {},
               .parents = {},
               .events = events_,
               .checkpoints = checkpoints_,
               .artifacts = folder_,
               .stop = stop_,
               .published = {}},
      trainer_(task, options, device, context_) {
  task.model().train();
}

BenchTrainer::~BenchTrainer() {
  std::error_code ignored;  // a folder in the system's place for what is temporary
  std::filesystem::remove_all(folder_, ignored);
}

double time_ms(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
      .count();
}

std::string machine_members() {
  const Json environment = numeric_environment(at::kCPU);
  return fmt::format(
      R"("program": "rethink {}", "build": "{}", "processor": {}, "backend": "{} {}", )"
      R"("libtorch": "{}", "threads": {})",
      RETHINK_VERSION, own_build_id(), Json(processor_fact("model name")).dump(),
      environment.at("device").get<std::string>(),
      environment.at("cpu_capability").get<std::string>(),
      environment.at("libtorch").get<std::string>(), environment.at("threads").get<int>());
}

std::string spread_members(std::vector<double> times_ms) {
  std::sort(times_ms.begin(), times_ms.end());
  const size_t count = times_ms.size();
  const double median = (times_ms[(count - 1) / 2] + times_ms[count / 2]) / 2;
  rusage used{};
  getrusage(RUSAGE_SELF, &used);  // its ru_maxrss is in KiB
  return fmt::format(
      R"("steps": {}, "median_ms": {:.3f}, "p10_ms": {:.3f}, "p90_ms": {:.3f}, "peak_mib": {})",
      count, median, times_ms[count / 10], times_ms[count * 9 / 10], used.ru_maxrss / 1024);
}

}  // namespace rethink
