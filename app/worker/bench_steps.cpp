#include "app/worker/bench_steps.h"

#include <ATen/ATen.h>
#include <ATen/record_function.h>
#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <iostream>

#include "core/json.h"
#include "core/system/processor.h"
#include "experiments/attempt/build_id.h"
#include "experiments/train/device/device.h"
#include "models/tensors/tensor_file.h"

namespace rethink {
namespace {

// Global, since the callback is a plain function; the backward pass has its own threads.
std::atomic<int64_t> operators_called;

std::unique_ptr<at::ObserverContext> count_call(const at::RecordFunction&) {
  ++operators_called;
  return nullptr;
}

/// The number of LibTorch operators that a function calls, including operators called by operators.
/// Requires that nothing else computes meanwhile.
int64_t count_operators(const std::function<void()>& work) {
  struct Counting {
    const at::CallbackHandle handle = at::addGlobalCallback(
        at::RecordFunctionCallback(count_call).scopes({at::RecordScope::FUNCTION}));
    ~Counting() { at::removeCallback(handle); }
  };
  operators_called = 0;
  const Counting counting;
  work();
  return operators_called;
}

Runtime runtime_of(const TimingOptions& options) {
  Runtime runtime;
  runtime.threads = static_cast<int>(options.threads);
  runtime.device = options.device;
  return runtime;
}

/// The time until the device has finished a step [ms].
double time_ms(const TimedStep& timed) {
  synchronize(timed.device);
  const auto start = std::chrono::steady_clock::now();
  timed.step();
  synchronize(timed.device);
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
      .count();
}

/// "cpu AVX512", "cuda NVIDIA H100 80GB HBM3": of numeric_environment.
std::string backend_text(const Json& environment) {
  const char* kind = environment.contains("gpu_name") ? "gpu_name" : "cpu_capability";
  return environment.at("device").get<std::string>() + " " +
         environment.at(kind).get<std::string>();
}

/// Benchmark, options, program, build, processor, backend, LibTorch, threads: the origin of a
/// figure. Members of a JSON object, without braces.
std::string origin_members(const TimingOptions& options, const at::Device& device) {
  const Json environment = numeric_environment(device);
  return fmt::format(R"("benchmark": {}, "options": {}, "program": "rethink {}", "build": "{}", )"
                     R"("processor": {}, "backend": "{}", )"
                     R"("libtorch": "{}", "threads": {})",
                     options.asked.at("benchmark").dump(), options.asked.at("options").dump(),
                     RETHINK_VERSION, own_build_id(), Json(processor_fact("model name")).dump(),
                     backend_text(environment), environment.at("libtorch").get<std::string>(),
                     environment.at("threads").get<int>());
}

/// The number of times, their median and 10th and 90th percentiles, and the peak memory of this
/// process, also of a GPU. Requires at least one time.
std::string spread_members(std::vector<double> times_ms, const at::Device& device) {
  std::sort(times_ms.begin(), times_ms.end());
  const size_t count = times_ms.size();
  const double median = (times_ms[(count - 1) / 2] + times_ms[count / 2]) / 2;
  rusage used{};
  getrusage(RUSAGE_SELF, &used);  // ru_maxrss is in KiB
  std::string members = fmt::format(
      R"("steps": {}, "median_ms": {:.3f}, "p10_ms": {:.3f}, "p90_ms": {:.3f}, "peak_mib": {})",
      count, median, times_ms[count / 10], times_ms[count * 9 / 10], used.ru_maxrss / 1024);
  if (const std::optional<int64_t> bytes = peak_gpu_bytes(device))
    members += fmt::format(R"(, "peak_gpu_mib": {})", *bytes >> 20);
  return members;
}

/// The operators of one additional step, and on a GPU how often it makes the host wait.
std::string call_members(const TimedStep& timed) {
  synchronize(timed.device);
  std::optional<int64_t> waits;
  const int64_t operators = count_operators([&] { waits = count_waits(timed.device, timed.step); });
  synchronize(timed.device);
  std::string members = fmt::format(R"("operators": {})", operators);
  if (waits) members += fmt::format(R"(, "waits": {})", *waits);
  return members;
}

/// Introduces itself, then answers requests.
void take_turns(const TimingOptions& options, const TimedStep& timed) {
  fmt::print("{{{}}}\n", origin_members(options, timed.device));
  std::fflush(stdout);
  for (std::string line; std::getline(std::cin, line);) {
    const Json count = Json::parse(line, nullptr, /*allow_exceptions=*/false);
    if (!count.is_number_unsigned())
      throw ConfigError("invalid-value",
                        fmt::format("standard input: got '{}', expected a number of steps", line));
    Json times = Json::array(), results = Json::array();
    for (uint64_t step = 0; step < count.get<uint64_t>(); ++step) {
      times.push_back(time_ms(timed));
      results.push_back(timed.result());
    }
    fmt::print("{}\n", Json{{"ms", times}, {"results", results}}.dump());
    std::fflush(stdout);
  }
}

}  // namespace

void TimingOptions::fields(Fields& field) {
  field("steps", steps, "steps to time").min(1);
  field("warmup", warmup, "steps before the timed ones").min(0);
  field("threads", threads, "threads of LibTorch").min(1);
  field("device", device, "device on which the steps run").one_of({"cpu", "cuda"});
  field("precision", precision, "precision of matrix products; on a CPU tf32 is float32")
      .one_of({"float32", "tf32", "bfloat16"});
  field("folder", folder,
        "folder for the first weights and batches.safetensors; empty: they are not written");
  field("in_turns", in_turns,
        "read numbers of steps from standard input, a line each; answer each line with times and "
        "results");
}

at::Device TimingOptions::ready_device() const {
  return prepare_device(runtime_of(*this), precision);
}

BenchTrainer::BenchTrainer(Task& task, const TrainOptions& options, const TimingOptions& timing,
                           at::Device device)
    : runtime_(runtime_of(timing)),
      events_(folder_.path() / "events.jsonl"),
      checkpoints_(folder_.path() / "checkpoints", events_),
      context_{.trial = trial_,
               .runtime = runtime_,
               .inputs = {},
               .parents = {},
               .events = events_,
               .checkpoints = checkpoints_,
               .artifacts = folder_.path(),
               .stop = stop_,
               .published = {}},
      trainer_(task, options, device, context_) {
  task.model().train();
}

void print_times(const TimingOptions& options, const TimedStep& timed) {
  if (options.in_turns) return take_turns(options, timed);
  std::vector<double> times_ms;
  for (int64_t step = 0; step < options.warmup + options.steps; ++step) {
    const double taken = time_ms(timed);
    if (step >= options.warmup) times_ms.push_back(taken);
  }
  // Read before the counted step, which is not one of the timed steps.
  const std::string result = timed.result().dump();
  const std::string spread = spread_members(times_ms, timed.device);
  const std::string calls = call_members(timed);
  fmt::print("{{{}, {}, {}, \"result\": {}}}\n", origin_members(options, timed.device), spread,
             calls, result);
}

void write_start(const std::filesystem::path& folder, const torch::nn::Module& model,
                 const std::vector<Batch>& batches) {
  if (folder.empty()) return;
  write_batches(folder, batches);
  write_tensors(folder / "model.safetensors", weights_of(model), {});
}

void write_batches(const std::filesystem::path& folder, const std::vector<Batch>& batches) {
  std::filesystem::create_directories(folder);
  TensorsByName columns;
  for (size_t i = 0; i < batches.size(); ++i) {
    for (const auto& [name, column] : batches[i].columns)
      columns[fmt::format("{}/{}", i, name)] = column;
  }
  write_tensors(folder / "batches.safetensors", columns, {});
}

}  // namespace rethink
