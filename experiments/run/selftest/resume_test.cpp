#include "experiments/run/selftest/resume_test.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <limits>
#include <map>

#include "core/error.h"
#include "core/files/file.h"
#include "core/json.h"
#include "core/store_files/event.h"
#include "core/store_files/resume_proof.h"
#include "core/store_files/stored_json.h"
#include "core/store_files/trial_folder.h"
#include "core/system/kill_point.h"
#include "core/system/process.h"
#include "core/system/spawn.h"
#include "experiments/attempt/attempt_request.h"
#include "experiments/attempt/command/process_tree.h"
#include "experiments/attempt/job.h"
#include "experiments/attempt/trial_files.h"
#include "results/folders/stored_trial.h"

namespace rethink {
namespace {

/// Results of a trial by step and name, such as (3, "dev/acc of step 3") and "0.5". Artifacts come
/// after all steps.
using TrialResults = std::map<std::pair<int64_t, std::string>, std::string>;
constexpr int64_t kAfterAllSteps = std::numeric_limits<int64_t>::max();

constexpr size_t kKills = 3, kLeastCheckpoints = 2;

/// A copy of the trial in its own folder, run attempt by attempt, each in a process that can be
/// killed. A copy runs to the trial's end, whatever its `stop_at`.
class TrialCopy {
 public:
  TrialCopy(const ResumeTestOptions& options, const Runtime& runtime, const std::string& name)
      : options_(options), runtime_(runtime), folder_(options.folder / name, options.trial) {
    Trial trial =
        trial_from_json(read_store_json(TrialFolder(options.store, options.trial).trial()));
    if (trial.config.contains("stop_at")) trial.config["stop_at"] = nullptr;
    write_trial(folder_, trial);
  }

  const TrialFolder& folder() const { return folder_; }

  /// Runs one attempt; returns whether it was killed. `kill_at`: "NAME:K" of
  /// core/system/kill_point.h; empty: no kill. Throws TrialError if it neither succeeds nor is
  /// killed.
  bool run(const std::string& kill_at = "") const {
    const int status = status_of(start(kill_at));
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL && !kill_at.empty()) {
      kill_programs_of(folder_.path());
      return true;
    }
    const int code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    const auto is = [&](AttemptExit exit) { return code == static_cast<int>(exit); };
    if (is(AttemptExit::done) || is(AttemptExit::diverged)) return false;
    throw TrialError(
        "program-failed",
        fmt::format("attempt {} ended with {}: {}; its log: {}", folder_.attempts().size(),
                    how_ended(status), last_message(),
                    folder_.log(static_cast<int64_t>(folder_.attempts().size())).string()));
  }

  /// Steps of the checkpoints that the attempts kept, in order.
  std::vector<int64_t> checkpoint_steps() const {
    std::vector<int64_t> steps;
    visit_events([&](const Json& event) {
      if (event_kind(event) == EventKind::checkpoint) steps.push_back(event.at("step"));
    });
    return steps;
  }

  /// Values that must be equal.
  TrialResults results() const {
    TrialResults results;
    std::map<std::pair<std::string, int64_t>, std::string> metrics;
    const auto take = [&](const Json& event) {
      if (event_kind(event) == EventKind::start && !resume_place_of(event)) {
        const int64_t resumed = resume_step_of(event).value_or(0);
        std::erase_if(metrics, [&](const auto& metric) {
          return resumed == 0 || metric.first.second > resumed;
        });
      }
      if (event_kind(event) != EventKind::metric) return;
      const std::string name =
          event.at("split").get<std::string>() + "/" + event.at("name").get<std::string>();
      metrics[{name, event.at("step")}] = event.at("value").dump();
    };
    visit_counted_events(event_files(folder_.path()), folder_.attempts().back(), take);
    for (const auto& [metric, value] : metrics)
      results[{metric.second, fmt::format("{} of step {}", metric.first, metric.second)}] = value;
    for (const Artifact& artifact : artifacts_of(read_result(folder_).value(), folder_))
      results[{kAfterAllSteps, "artifact " + artifact.name}] =
          fmt::format("SHA-256 {:.16}...", artifact.sha256);
    return results;
  }

 private:
  pid_t start(const std::string& kill_at) const {
    AttemptRequest request;
    request.trial = folder_.path();
    request.store = options_.store;
    request.runtime = runtime_;
    const std::filesystem::path hits =
        options_.folder / "kill_point";  // counts from zero for each attempt
    std::filesystem::remove(hits);
    std::vector<std::string> environment = environment_without_kill_points();
    if (!kill_at.empty()) {
      environment.push_back("RETHINK_KILL_FOLDER=" + options_.folder.string());
      environment.push_back("RETHINK_KILL_AT=" + kill_at);
    }
    const FileDescriptor nothing = open_file("/dev/null", O_RDONLY),
                         log = open_file(options_.folder / "log", O_WRONLY | O_CREAT | O_APPEND);
    return spawn({.words = {options_.rethink.string(), "attempt", to_json(request).dump()},
                  .environment = environment,
                  .standard = {nothing.get(), log.get(), log.get()}});
  }

  static int status_of(pid_t pid) {
    int status = 0;
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
    return status;
  }

  void visit_events(const std::function<void(const Json&)>& take) const {
    for (const int64_t number : folder_.attempts()) read_events(folder_.events(number), 0, take);
  }

  std::string last_message() const {
    std::string message = "it says nothing";
    visit_events([&](const Json& event) {
      if (event_kind(event) == EventKind::message) message = event.at("text");
    });
    return message;
  }

  const ResumeTestOptions& options_;
  const Runtime& runtime_;
  const TrialFolder folder_;
};

/// The settings of the trial's newest attempt in the store, on the given device.
Runtime runtime_of(const ResumeTestOptions& options) {
  Runtime runtime;
  runtime.data = options.data;
  const TrialFolder folder(options.store, options.trial);
  for (const int64_t number : folder.attempts()) {
    read_events(folder.events(number), 0, [&](const Json& event) {
      if (event_kind(event) != EventKind::start) return;
      runtime.device = event.value("device", runtime.device);
      runtime.threads = event.value("threads", runtime.threads);
    });
  }
  if (options.device) runtime.device = *options.device;
  return runtime;
}

std::vector<ResumeDifference> differences_of(const TrialResults& undisturbed,
                                             const TrialResults& resumed) {
  TrialResults all = undisturbed;
  all.insert(resumed.begin(), resumed.end());
  std::vector<ResumeDifference> differences;
  for (const auto& [key, any] : all) {
    const auto value_in = [&, &key = key](const TrialResults& results) {
      const auto found = results.find(key);
      return found == results.end() ? "" : found->second;
    };
    ResumeDifference one{key.second, value_in(undisturbed), value_in(resumed)};
    if (one.undisturbed != one.resumed) differences.push_back(std::move(one));
  }
  return differences;
}

struct KillPlace {
  std::string point;  // "NAME:K" of core/system/kill_point.h, counted in one attempt
  const char* text;
};

/// The ends of the killed copy's attempts except the last, by the number of checkpoints of an
/// undisturbed run.
std::vector<KillPlace> kill_places(size_t checkpoints) {
  const size_t of_third_attempt = std::max<size_t>(1, checkpoints - kLeastCheckpoints);
  return {{"after_checkpoint_publish:1", "killed after the first checkpoint"},
          {"before_checkpoint_rename:1", "resumed, and killed within the next checkpoint"},
          {fmt::format("after_checkpoint_publish:{}", of_third_attempt),
           "resumed, and killed after a later checkpoint"}};
}

}  // namespace

ResumeReport test_resume(const ResumeTestOptions& options) {
  const Json trial = required_trial(trial_folder(options.store, options.trial));
  const std::string job = trial.at("job");
  const bool is_ours =
      std::ranges::count(jobs().names(), job) == 0;  // this program has no jobs that train
  if (is_ours || !jobs().facts(job).runs_program)
    throw ConfigError(
        "wrong-job",
        fmt::format(
            "--resume: trial {} is of the job '{}', expected one that runs a program, such as "
            "'command'; `rethink selftest --sweep FILE` tests sweeps of any job",
            options.trial, trial.at("job").get<std::string>()));
  const Runtime runtime = runtime_of(options);
  ResumeReport report{.device = runtime.device,
                      .proof = resume_proof_name(trial.at("config"), runtime.device)};
  options.progress("an undisturbed run");
  const TrialCopy quiet(options, runtime, "quiet");
  quiet.run();
  const size_t checkpoints = quiet.checkpoint_steps().size();
  if (checkpoints < kLeastCheckpoints)
    throw ConfigError(
        "too-few-checkpoints",
        fmt::format("--resume: trial {} kept {} checkpoints, expected {} or more: let the program "
                    "report more, or choose a trial that runs longer",
                    options.trial, checkpoints, kLeastCheckpoints));
  const TrialCopy killed(options, runtime, "killed");
  for (const KillPlace& place : kill_places(checkpoints)) {
    options.progress(place.text);
    if (!killed.run(place.point))
      throw ConfigError(
          "too-few-checkpoints",
          fmt::format(
              "--resume: trial {} ended before it was killed {} times: its second run kept fewer "
              "checkpoints than the {} of its first; let it keep them by steps, not by time",
              options.trial, kKills, checkpoints));
  }
  options.progress("resumed to the end");
  killed.run();
  const TrialResults expected = quiet.results();
  report.differences = differences_of(expected, killed.results());
  if (!report.is_exact()) {
    options.progress("a second undisturbed run");
    const TrialCopy again(options, runtime, "quiet-again");
    again.run();
    report.repeats = again.results() == expected;
  }
  return report;
}

}  // namespace rethink
