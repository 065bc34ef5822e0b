#include "experiments/plan/read/stage_resources.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/config/check.h"
#include "core/json.h"
#include "core/yaml/text_with_unit.h"
#include "experiments/plan/read/overlay.h"

namespace rethink {
namespace {

constexpr int64_t kMostThreads = 4096, kMostPerGpu = 1000, kMostGpus = 1024;
constexpr double kMostRetries = 1e6;

struct ResourceSettings {
  std::string device = "auto";
  int64_t threads = 1;
  bool alone = false, deterministic = true;
  std::string attention = "library";
  std::optional<Size> gpu_memory;
  std::optional<int64_t> max_per_gpu, gpus;
  std::optional<Duration> checkpoint_every;

  void fields(Fields& field) {
    field("device", device, "auto (the default: a GPU if there is one), cpu or cuda")
        .one_of({"auto", "cpu", "cuda"});
    field("threads", threads, "threads per trial; default 1").min(1).max(kMostThreads);
    field("alone", alone,
          "run no other trial of the run at the same time, as timings need; default false");
    field("deterministic", deterministic,
          "use only deterministic algorithms; default true; false allows LibTorch's faster ones");
    field("attention", attention,
          "attention on a GPU: library (the default: LibTorch's, if it can) or kernels (this "
          "program's, whose dropout equals the CPU's)")
        .one_of({"library", "kernels"});
    field("gpu_memory", gpu_memory,
          "GPU memory per trial: auto (the default: as measured) or a size such as 9GiB");
    field("max_per_gpu", max_per_gpu,
          "largest number of trials on one GPU or MIG device; default: as many as its memory holds")
        .min(1)
        .max(kMostPerGpu);
    field("gpus", gpus,
          "job command only: number of GPUs that the trial has for itself; 0: none; default: a "
          "share of one GPU, if there is one")
        .min(0)
        .max(kMostGpus);
    field("checkpoint_every", checkpoint_every,
          "time between checkpoints, such as 5min; default: the job's own");
  }
};

/// The usual numbers of retries by their keys in files, the words of outcomes.
std::map<std::string, int64_t> usual_times() {
  std::map<std::string, int64_t> times;
  for (const auto& [outcome, often] : usual_retries()) times[to_text(outcome)] = often;
  return times;
}

struct RetrySettings {
  std::map<std::string, int64_t> times = usual_times();

  void fields(Fields& field) {
    for (auto& [outcome, often] : times) {
      const std::string usual =
          fmt::format("default {}", usual_retries().at(attempt_outcome_named(outcome)));
      field(outcome.c_str(), often, usual.c_str()).min(0).max(kMostRetries);
    }
  }
};

struct LimitSettings {
  std::optional<Duration> time;
  std::optional<Duration> stall = Duration{"15min"};  // a healthy loop reports every 10 seconds
  Duration grace{"30s"};

  void fields(Fields& field) {
    field("time", time, "longest running time over all attempts, such as 12h; default: no limit");
    field("stall", stall, "longest time without a sign of progress; default 15min");
    field("grace", grace, "time from the signal to stop to the kill, such as 2min; default 30s");
  }
};

struct Settings {
  ResourceSettings resources;
  RetrySettings retry;
  LimitSettings limits;
  std::string keep = "metrics";

  void fields(Fields& field) {
    field("resources", resources, "where and how a trial runs");
    field("retry", retry, "how often a trial is started again, by how it ended");
    field("limits", limits, "limits on a trial's time");
    field("keep", keep, "files that are kept of a done trial: metrics (the default) or weights")
        .one_of({"metrics", "weights"});
  }
};

/// The settings of a sweep together with those of a stage; the stage's replace the sweep's.
Settings read_settings(const Yaml& sweep, const Yaml& stage, Problems& problems) {
  Field settings;
  FieldTraits<Settings>::describe(settings, {});
  settings.default_value = write_options(Settings());
  for (const Yaml* given : {&sweep, &stage})
    settings.default_value = check_value(*given, settings, {}, "", problems);
  return read_options<Settings>(settings.default_value);
}

}  // namespace

const std::map<AttemptOutcome, int>& usual_retries() {
  static const std::map<AttemptOutcome, int> kRetries = {{AttemptOutcome::killed, 10},
                                                         {AttemptOutcome::lost, 10},
                                                         {AttemptOutcome::oom, 1},
                                                         {AttemptOutcome::failed, 0},
                                                         {AttemptOutcome::timeout, 0}};
  return kRetries;
}

const std::vector<Field>& setting_fields() {
  static const std::vector<Field> kFields = describe_options<Settings>().fields;
  return kFields;
}

bool is_setting(const std::string& key) {
  return std::ranges::find(setting_fields(), key, &Field::name) != setting_fields().end();
}

StageResources resources_of(const Yaml& sweep, const Yaml& stage, Problems& problems) {
  const Settings settings = read_settings(sweep, stage, problems);
  const auto value_of = [](const auto& given) {
    return given ? std::optional(given->value()) : std::nullopt;
  };
  StageResources resources;
  resources.device = settings.resources.device;
  resources.threads = static_cast<int>(settings.resources.threads);
  resources.alone = settings.resources.alone;
  resources.attention = settings.resources.attention;
  resources.deterministic = settings.resources.deterministic;
  if (const double bytes = value_of(settings.resources.gpu_memory).value_or(0); bytes > 0)
    resources.gpu_memory_bytes = static_cast<uint64_t>(bytes);
  if (settings.resources.max_per_gpu)
    resources.most_per_gpu = static_cast<int>(*settings.resources.max_per_gpu);
  if (const auto seconds = value_of(settings.resources.checkpoint_every))
    resources.checkpoint_every_s = std::max<int64_t>(1, static_cast<int64_t>(*seconds));
  if (settings.resources.gpus) resources.gpus = static_cast<int>(*settings.resources.gpus);
  resources.grace_s = settings.limits.grace.value();
  resources.time_limit_s = value_of(settings.limits.time);
  resources.stall_limit_s = value_of(settings.limits.stall);
  for (const auto& [outcome, often] : settings.retry.times)
    resources.retry[attempt_outcome_named(outcome)] = static_cast<int>(often);
  resources.keep_weights = resources.keep_asked = settings.keep == "weights";
  return resources;
}

void check_resources(const StageResources& resources, bool runs_program, const Yaml& sweep,
                     const Yaml& stage, const Machine& machine, Problems& problems) {
  // A stage's own setting comes before the sweep's.
  const auto setting = [&](const char* key) -> const Yaml* {
    for (const Yaml* settings : {&stage, &sweep}) {
      const Yaml* value = at_path(*settings, key);
      if (value && !value->is_null()) return value;
    }
    return nullptr;
  };
  const int threads = resources.threads;
  const Yaml* given = setting("resources.threads");
  if (given && threads > static_cast<int>(machine.cores) && threads <= kMostThreads) {
    problems.add(given->where, "too-few-resources",
                 fmt::format("'resources.threads': got {}, expected at most {}, the cores "
                             "available here; change it here or with --set resources.threads={}",
                             threads, machine.cores, machine.cores));
  }
  const Yaml* memory = setting("resources.gpu_memory");
  const uint64_t most_bytes = resources.gpu_memory_bytes && machine.most_gpu_bytes &&
                                      machine.device != "cpu" && resources.device != "cpu"
                                  ? machine.most_gpu_bytes()
                                  : 0;
  if (memory && most_bytes > 0 && *resources.gpu_memory_bytes > most_bytes) {
    problems.add(
        memory->where, "too-few-resources",
        fmt::format("'resources.gpu_memory': got {}, expected at most {:.1f} GiB, the memory "
                    "of the largest GPU here; change it here or with --set "
                    "resources.gpu_memory=auto",
                    memory->scalar, static_cast<double>(most_bytes) / (1 << 30)));
  }
  const Yaml* gpus = setting("resources.gpus");
  const int wanted_gpus = resources.gpus.value_or(0);
  const bool is_on_gpu = machine.device != "cpu" && resources.device != "cpu";
  if (gpus && runs_program && wanted_gpus > 0 && is_on_gpu && machine.gpus) {
    const size_t most = machine.gpus();
    if (static_cast<size_t>(wanted_gpus) > most)
      problems.add(gpus->where, "too-few-resources",
                   fmt::format("'resources.gpus': got {}, expected at most {}, the GPUs that this "
                               "machine shows (`rethink doctor`); change it here or with --set "
                               "resources.gpus={}, or give --device cpu",
                               wanted_gpus, most, most));
  }
  const Yaml* device = setting("resources.device");
  const bool is_overruled = machine.device != "auto";
  const bool wants_gpu =
      is_overruled ? machine.device == "cuda" : device && device->scalar == "cuda";
  // A user's program brings its own CUDA.
  const bool has_gpu =
      wants_gpu && (runs_program && machine.gpus ? machine.gpus() > 0 : machine.has_gpu());
  if (!wants_gpu || has_gpu) return;
  const char* const kNoGpu =
      "got cuda, but rethink can use no GPU here (`rethink doctor` says why)";
  if (is_overruled) {
    problems.add({"--device"}, "no-gpu",
                 fmt::format("{}; leave the option out, or give --device cpu", kNoGpu));
  } else {
    problems.add(
        device->where, "no-gpu",
        fmt::format("'resources.device': {}; write device: auto, or give --device cpu", kNoGpu));
  }
}

}  // namespace rethink
