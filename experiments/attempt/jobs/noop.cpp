// The job `noop`: everything of a training run except the training. Its numbers are a pure function
// of configuration, seed and input weights, and each step depends on the previous one. It
// checkpoints, stops, fails and fills memory on demand. Used by tests, by `selftest`, and to try a
// sweep.
#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <thread>
#include <vector>

#include "core/clock.h"
#include "core/error.h"
#include "core/files/hash.h"
#include "core/format/safetensors.h"
#include "core/philox.h"
#include "experiments/attempt/checkpoint_folder.h"
#include "experiments/attempt/event_log.h"
#include "experiments/attempt/job.h"

namespace rethink {
namespace {

constexpr int64_t kStopLooksMs = 10;  // between checks of the stop request
constexpr const char* kStateChecksum = "state_crc32c";

std::string checksum_of_bytes(std::span<const std::byte> bytes) {
  return fmt::format("{:08x}", crc32c({reinterpret_cast<const char*>(bytes.data()), bytes.size()}));
}

/// Version 0.1.0 wrote no checksum of the state.
bool has_sound_state(const SafetensorsFile& file) {
  const auto checksum = file.metadata().find(kStateChecksum);
  const TensorView& state = file.at("state");
  return state.bytes.size() == sizeof(uint64_t) &&
         (checksum == file.metadata().end() || checksum->second == checksum_of_bytes(state.bytes));
}

struct NoopOptions {
  int64_t steps = 1, sleep_ms = 0, allocate_mb = 0, checkpoint_every = 0, checkpoint_mb = 0;
  std::optional<int64_t> fail_at;
  std::string tag;
  void fields(Fields& field) {
    field("steps", steps, "steps to take").min(1);
    field("sleep_ms", sleep_ms, "pause in each step [ms]").min(0);
    field("fail_at", fail_at, "step at which the trial fails").min(1);
    field("allocate_mb", allocate_mb, "memory to fill [MiB]").min(0);
    field("tag", tag, "any text; another text makes another trial");
    field("checkpoint_every", checkpoint_every, "steps between checkpoints; 0 = only when stopped")
        .min(0)
        .not_hashed();
    field("checkpoint_mb", checkpoint_mb, "size of a checkpoint [MiB]").min(0).not_hashed();
  }
};

class Noop : public Job {
 public:
  explicit Noop(NoopOptions options) : options_(std::move(options)) {}

  JobOutcome run(JobContext& context) override {
    resume(context);
    fill_memory();
    last_checkpoint_s_ = monotonic_seconds();
    while (step_ < options_.steps) {
      if (context.stop) {
        if (step_ > 0) checkpoint(context);
        return JobOutcome::interrupted;
      }
      take_step(context);
      if (step_ < options_.steps && checkpoint_is_due(context.runtime)) checkpoint(context);
    }
    context.events.metric("dev", "score", step_, value());
    context.events.metric("dev", "score@last", step_, value());
    context.result["directions"] = {{"score", "max"}, {"loss", "min"}};
    if (context.runtime.keep_weights) leave_weights(context);
    return JobOutcome::done;
  }

 private:
  static constexpr uint64_t kWeights = 16;

  /// Continues until the process ends.
  void fill_memory() const {
    if (options_.allocate_mb == 0) return;
    const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE;
    if (mmap(nullptr, static_cast<size_t>(options_.allocate_mb) << 20, PROT_READ | PROT_WRITE,
             flags, -1, 0) == MAP_FAILED) {
      throw OutOfMemoryError("out-of-memory",
                             fmt::format("cannot allocate {} MiB", options_.allocate_mb));
    }
  }

  void resume(JobContext& context) {
    state_ = crc32c(options_.tag);
    for (const auto& [slot, artifacts] : context.inputs) {
      for (const Artifact& artifact : artifacts) mix(crc32c(artifact.sha256));
    }
    mix(static_cast<uint64_t>(context.trial.seed.value_or(0)));
    const auto found = context.checkpoints.newest([](const std::filesystem::path& path) {
      try {
        return has_sound_state(SafetensorsFile(path));
      } catch (const ConfigError&) {
        return false;
      }
    });
    if (!found) return;
    const SafetensorsFile file(found->path);
    std::memcpy(&state_, file.at("state").bytes.data(), sizeof state_);
    step_ = found->step;
  }

  void take_step(JobContext& context) {
    pause(context);
    ++step_;
    if (options_.fail_at == step_)
      throw TrialError("test-failure", fmt::format("fail_at: step {} fails", step_));
    mix(static_cast<uint64_t>(step_));
    context.events.metric("train", "loss", step_, value());
    context.events.tick(step_, options_.steps, value());
  }

  /// A stop request ends the pause early.
  void pause(const JobContext& context) const {
    for (int64_t left = options_.sleep_ms; left > 0 && !context.stop; left -= kStopLooksMs)
      std::this_thread::sleep_for(std::chrono::milliseconds(std::min(left, kStopLooksMs)));
  }

  void mix(uint64_t number) {
    const PhiloxBlock block = philox({state_, number}, 0);
    state_ = (static_cast<uint64_t>(block.word[0]) << 32) | block.word[1];
  }

  /// In [0, 1).
  double value() const { return static_cast<double>(state_ >> 11) * 0x1p-53; }

  bool checkpoint_is_due(const Runtime& runtime) const {
    if (options_.checkpoint_every > 0 && step_ % options_.checkpoint_every == 0) return true;
    return runtime.checkpoint_every_s && monotonic_seconds() - last_checkpoint_s_ >=
                                             static_cast<double>(*runtime.checkpoint_every_s);
  }

  void checkpoint(JobContext& context) {
    context.checkpoints.publish(
        step_, [this](const std::filesystem::path& file, const TensorMetadata& description) {
          const std::span<const uint64_t> state(&state_, 1);
          const std::vector<std::byte> ballast(static_cast<size_t>(options_.checkpoint_mb) << 20);
          const TensorViews tensors = {
              {"state", {Dtype::u64, {1}, std::as_bytes(state)}},
              {"ballast", {Dtype::u8, {static_cast<int64_t>(ballast.size())}, ballast}}};
          TensorMetadata metadata = description;
          metadata[kStateChecksum] = checksum_of_bytes(std::as_bytes(state));
          write_safetensors(file, tensors, with_description_checksum(metadata, tensors));
        });
    last_checkpoint_s_ = monotonic_seconds();
  }

  void leave_weights(JobContext& context) const {
    std::vector<float> weights;
    for (uint64_t i = 0; i < kWeights; ++i)
      weights.push_back(philox_uniform(philox({state_, 0}, i).word[0]));
    const std::filesystem::path file = context.artifact_file("weights.safetensors");
    write_safetensors(
        file, {{"weight", {Dtype::f32, {kWeights}, std::as_bytes(std::span(weights))}}}, {});
    context.add_artifact("weights", "weights", file);
  }

  NoopOptions options_;
  int64_t step_ = 0;
  uint64_t state_ = 0;
  double last_checkpoint_s_ = 0;
};

RETHINK_REGISTERED = jobs().add<NoopOptions>(
    {.name = "noop",
     .summary = "takes steps, writes reproducible metrics and checkpoints, and trains nothing",
     .facts = {.inputs = {{"init", "weights"}},
               .outputs = {"weights"},
               .metrics = JobMetrics{.always = {"train/loss", "dev/score", "dev/score@last"},
                                     .score = "dev/score",
                                     .directions = {{"score", "max"}, {"loss", "min"}}},
               .device = "cpu"}},
    [](const NoopOptions& options) { return std::make_shared<Noop>(options); });

}  // namespace
}  // namespace rethink
