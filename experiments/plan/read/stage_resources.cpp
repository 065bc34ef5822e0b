#include "experiments/plan/read/stage_resources.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "core/config/check.h"
#include "core/config/schema.h"
#include "core/json.h"
#include "experiments/plan/read/overlay.h"

namespace rethink {
namespace {

constexpr double kMostThreads = 4096;

constexpr double kMostSeconds = 1e9, kMostBytes = 1e18;

/// "12h", "15min", "1.5s" in seconds, "9GiB" in bytes; none when it is not written so, or beyond
/// `most`.
std::optional<double> with_unit(const std::string& text, const std::map<std::string, double>& units,
                                double most) {
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  const auto unit = units.find(std::string(stop, end));
  if (error != std::errc() || unit == units.end()) return std::nullopt;
  value *= unit->second;
  return value > 0 && value <= most ? std::optional(value) : std::nullopt;
}

std::optional<double> duration_in(const Yaml& given, const std::string& name, Problems& problems) {
  static const std::map<std::string, double> kSeconds = {
      {"s", 1}, {"min", 60}, {"h", 3600}, {"d", 86400}};
  if (given.is_null()) return std::nullopt;
  const auto seconds = with_unit(given.scalar, kSeconds, kMostSeconds);
  if (!seconds) {
    problems.add(given.where,
                 fmt::format("'{}': got '{}', expected a duration such as 30s, 15min, 12h or 2d",
                             name, text_of(given)));
  }
  return seconds;
}

std::optional<uint64_t> size_in(const Yaml& given, const std::string& name, Problems& problems) {
  static const std::map<std::string, double> kBytes = {{"KiB", 1024.0},       {"MiB", 1048576.0},
                                                       {"GiB", 1073741824.0}, {"KB", 1e3},
                                                       {"MB", 1e6},           {"GB", 1e9}};
  if (given.is_null() || given.scalar == "auto") return std::nullopt;
  const auto bytes = with_unit(given.scalar, kBytes, kMostBytes);
  if (!bytes) {
    problems.add(given.where, fmt::format("'{}': got '{}', expected auto or a size such as 9GiB",
                                          name, text_of(given)));
    return std::nullopt;
  }
  return static_cast<uint64_t>(*bytes);
}

void report_unknown_keys(const Yaml& given, const std::string& what,
                         const std::vector<std::string>& known, Problems& problems) {
  if (!given.is_map() && !given.is_null())
    problems.add(given.where, fmt::format("'{}' must be a map", what));
  for (const Yaml::Entry& entry : given.entries) {
    if (std::find(known.begin(), known.end(), entry.key) != known.end()) continue;
    problems.add(entry.where, [&] {
      return fmt::format("unknown key '{}.{}'{}; known: {}", what, entry.key,
                         did_you_mean(entry.key, known), joined(known));
    });
  }
}

int64_t whole_number(const Yaml& given, const std::string& name, double least, double most,
                     Problems& problems) {
  Field field;
  field.type = FieldType::integer;
  field.minimum = least;
  field.maximum = most;
  const Json value = check_value(given, field, {}, name, problems);
  return value.is_number_integer() ? value.get<int64_t>() : 0;
}

void read_resources(const Yaml& given, StageResources& resources, Problems& problems) {
  report_unknown_keys(
      given, "resources",
      {"device", "threads", "alone", "deterministic", "gpu_memory", "checkpoint_every"}, problems);
  if (const Yaml* device = given.find("device"); device && !device->is_null()) {
    Field field;
    field.choices = {"auto", "cpu", "cuda"};
    resources.device =
        check_value(*device, field, {}, "resources.device", problems).get<std::string>();
  }
  if (const Yaml* threads = given.find("threads"); threads && !threads->is_null()) {
    resources.threads =
        static_cast<int>(whole_number(*threads, "resources.threads", 1, kMostThreads, problems));
  }
  for (const auto& [key, value] :
       {std::pair{"alone", &resources.alone}, {"deterministic", &resources.deterministic}}) {
    const Yaml* yes = given.find(key);
    if (!yes || yes->is_null()) continue;
    Field field;
    field.type = FieldType::boolean;
    *value = check_value(*yes, field, {}, fmt::format("resources.{}", key), problems) == true;
  }
  if (const Yaml* memory = given.find("gpu_memory")) {
    resources.gpu_memory_bytes = size_in(*memory, "resources.gpu_memory", problems);
  }
  if (const Yaml* every = given.find("checkpoint_every")) {
    const auto seconds = duration_in(*every, "resources.checkpoint_every", problems);
    if (seconds)
      resources.checkpoint_every_s = std::max<int64_t>(1, static_cast<int64_t>(*seconds));
  }
}

void read_limits(const Yaml& given, StageResources& resources, Problems& problems) {
  report_unknown_keys(given, "limits", {"time", "stall"}, problems);
  if (const Yaml* time = given.find("time"))
    resources.time_limit_s = duration_in(*time, "limits.time", problems);
  if (const Yaml* stall = given.find("stall"))
    resources.stall_limit_s = duration_in(*stall, "limits.stall", problems);
}

void read_retry(const Yaml& given, StageResources& resources, Problems& problems) {
  std::vector<std::string> known;
  for (const auto& [outcome, times] : resources.retry) known.push_back(outcome);
  report_unknown_keys(given, "retry", known, problems);
  for (const Yaml::Entry& entry : given.entries) {
    if (!resources.retry.count(entry.key) || entry.value.is_null()) continue;
    const int64_t times = whole_number(entry.value, "retry." + entry.key, 0, 1'000'000, problems);
    resources.retry[entry.key] = static_cast<int>(times);
  }
}

}  // namespace

const std::map<std::string, int>& usual_retries() {
  static const std::map<std::string, int> kRetries = {
      {"killed", 10}, {"lost", 10}, {"oom", 1}, {"failed", 0}, {"timeout", 0}};
  return kRetries;
}

bool is_setting(const std::string& key) {
  return key == "resources" || key == "retry" || key == "limits" || key == "keep";
}

StageResources resources_of(const Yaml& sweep, const Yaml& stage, Problems& problems) {
  constexpr double kStallLimit =
      15 * 60;  // a healthy loop says something at least every 10 seconds
  StageResources resources;
  resources.retry = usual_retries();
  resources.stall_limit_s = kStallLimit;
  for (const Yaml* settings : {&sweep, &stage}) {
    if (const Yaml* given = settings->find("resources"))
      read_resources(*given, resources, problems);
    if (const Yaml* given = settings->find("limits")) read_limits(*given, resources, problems);
    if (const Yaml* given = settings->find("retry")) read_retry(*given, resources, problems);
    if (const Yaml* given = settings->find("keep"); given && !given->is_null()) {
      Field field;
      field.choices = {"metrics", "weights"};
      resources.keep_asked = check_value(*given, field, {}, "keep", problems) == "weights";
      resources.keep_weights = resources.keep_asked;
    }
  }
  return resources;
}

void check_resources(const Yaml& sweep, const Yaml& stage, const Machine& machine,
                     Problems& problems) {
  // A stage's own setting stands before the sweep's.
  const auto setting = [&](const char* key) -> const Yaml* {
    for (const Yaml* settings : {&stage, &sweep}) {
      const Yaml* resources = settings->find("resources");
      const Yaml* value = resources ? resources->find(key) : nullptr;
      if (value && !value->is_null()) return value;
    }
    return nullptr;
  };
  Problems said;  // with the settings
  const Yaml* threads = setting("threads");
  const int64_t wanted =
      threads ? whole_number(*threads, "resources.threads", 1, kMostThreads, said) : 0;
  if (said.empty() && wanted > static_cast<int64_t>(machine.cores)) {
    problems.add(
        threads->where,
        fmt::format("'resources.threads': got {}, expected at most {}, the cores that "
                    "this machine gives; change it here or with --set resources.threads={}",
                    threads->scalar, machine.cores, machine.cores));
  }
  const Yaml* device = setting("device");
  const bool is_overruled = machine.device != "auto";
  const bool wants_gpu =
      is_overruled ? machine.device == "cuda" : device && device->scalar == "cuda";
  if (!wants_gpu || machine.has_gpu()) return;
  const char* const kNoGpu =
      "got cuda, but rethink can use no GPU here (`rethink doctor` says why)";
  if (is_overruled) {
    problems.add({"--device"},
                 fmt::format("{}; leave the option out, or give --device cpu", kNoGpu));
  } else {
    problems.add(
        device->where,
        fmt::format("'resources.device': {}; write device: auto, or give --device cpu", kNoGpu));
  }
}

}  // namespace rethink
