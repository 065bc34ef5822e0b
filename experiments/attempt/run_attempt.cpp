#include "experiments/attempt/run_attempt.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sched.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <thread>

#include "core/clock.h"
#include "core/files/hash.h"
#include "core/files/lock.h"
#include "core/files/owner.h"
#include "core/files/store_file.h"
#include "core/json.h"
#include "core/store_files/accepted_code.h"
#include "core/store_files/lease.h"
#include "core/store_files/result_file.h"
#include "core/store_files/stored_json.h"
#include "core/store_files/trial_folder.h"
#include "core/system/kill_point.h"
#include "core/system/log.h"
#include "core/system/machine_fault.h"
#include "core/system/mps.h"
#include "core/system/process.h"
#include "experiments/attempt/build_id.h"
#include "experiments/attempt/checkpoint_folder.h"
#include "experiments/attempt/event_log.h"
#include "experiments/attempt/inputs.h"
#include "experiments/attempt/trial_files.h"

namespace rethink {
namespace {

constexpr const char* kWeightsSha256 = "weights_sha256";
constexpr const char* kOomScore = "500";  // the driver has 0, so that the kernel kills it last

std::atomic<bool> stop_wanted = false;

/// Waits for SIGTERM, the request to stop, on a separate thread: no handler may run on a thread
/// that computes. While oneDNN multiplies float32 matrices, the stack pointer may be in the heap
/// (up to its version 3.11, which LibTorch 2.11 contains), and a handler's frame would overwrite
/// data (uxlfoundation/oneDNN, issue 4845).
void watch_for_stop() {
  sigset_t stop;
  sigemptyset(&stop);
  sigaddset(&stop, SIGTERM);
  pthread_sigmask(SIG_SETMASK, &stop, nullptr);  // new threads inherit it
  std::thread([stop] {
    int number = 0;
    while (sigwait(&stop, &number) == 0) stop_wanted = true;
  }).detach();
}

void set_up_process(const AttemptRequest& request) {
  signal(SIGXFSZ, SIG_IGN);  // the failed write reports it
  try {
    write_all(open_file("/proc/self/oom_score_adj", O_WRONLY).get(), kOomScore,
              "/proc/self/oom_score_adj");
  } catch (const MachineError& error) {
    log_warning(error.what());
  }
  if (!request.cores.empty()) {
    cpu_set_t cores;
    CPU_ZERO(&cores);
    for (const int core : request.cores) CPU_SET(static_cast<size_t>(core), &cores);
    if (sched_setaffinity(0, sizeof cores, &cores) != 0) {
      log_warning(
          fmt::format("cannot pin to {} cores: {}", request.cores.size(), std::strerror(errno)));
    }
  }
  if (request.gpu) setenv("CUDA_VISIBLE_DEVICES", request.gpu->c_str(), /*overwrite=*/1);
  watch_for_stop();
}

/// From now on, all output of any library goes to the attempt's log.
void redirect_output(const std::filesystem::path& log) {
  const FileDescriptor file = open_file(log, O_WRONLY | O_CREAT | O_APPEND);
  std::fflush(nullptr);
  dup2(file.get(), STDOUT_FILENO);
  dup2(file.get(), STDERR_FILENO);
}

/// The peak of this process, or of the largest process that it has waited for: a user's program.
double peak_memory_bytes() {
  long most = 0;
  for (const auto who : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
    rusage usage{};
    getrusage(who, &usage);
    most = std::max(most, usage.ru_maxrss);
  }
  return static_cast<double>(most) * 1024.0;
}

/// LibTorch appends its own stack trace to its messages.
std::string message_of(const std::exception& error) {
  const std::string text = machine_message(error);
  return text.substr(0, text.find("\nException raised from"));
}

MessageCode code_of_error(const std::exception& error) {
  const auto* ours = dynamic_cast<const Error*>(&error);
  return ours ? ours->code() : "unexpected";
}

AttemptExit exit_for(const std::exception& error) {
  switch (machine_fault(error)) {
    case MachineFault::disk_full:
      return AttemptExit::disk_full;
    case MachineFault::disk:
      return AttemptExit::disk_error;
    case MachineFault::resources:
      return AttemptExit::no_resources;
    case MachineFault::none:
      break;
  }
  return AttemptExit::failed;
}

void drop_temporary_files(const TrialFolder& folder) {
  for (const auto& path : {folder.path(), folder.checkpoints(), folder.artifacts()})
    remove_temporary_files(path);
}

/// One attempt that has the trial's lock.
class Attempt {
 public:
  Attempt(const AttemptRequest& request, const TrialFolder& folder, const FolderLock& lock,
          int64_t number)
      : request_(request),
        folder_(folder),
        lock_(lock),
        number_(number),
        repeats_(std::filesystem::exists(folder.old_result())),
        events_(folder.events(number)) {}

  AttemptExit run() {
    announce();
    try {
      return run_job();
    } catch (const FencedError& error) {  // this attempt may not write any more
      log_warning(error.what());
      return AttemptExit::fenced;
    } catch (const OutOfMemoryError& error) {
      return end_badly(AttemptExit::oom, AttemptOutcome::oom, error.code(), message_of(error));
    } catch (const KilledError& error) {
      return end_badly(AttemptExit::killed, AttemptOutcome::killed, error.code(),
                       message_of(error));
    } catch (const std::bad_alloc&) {
      return end_badly(AttemptExit::oom, AttemptOutcome::oom, "out-of-memory", "out of memory");
    } catch (const std::exception& error) {
      // The trial is not at fault, and continues in its folder's new place.
      if (lock_.moved_to()) {
        return end_badly(AttemptExit::interrupted, AttemptOutcome::interrupted, "trial-moved",
                         folder_.path().string() + ": was moved or removed while the trial ran");
      }
      const AttemptExit code = exit_for(error);
      if (code == AttemptExit::disk_full) drop_unfinished_files();
      return end_badly(code, outcome_of(W_EXITCODE(static_cast<int>(code), 0), false),
                       code_of_error(error), message_of(error));
    }
  }

 private:
  void announce() {
    Json facts = to_json(this_process());
    facts["attempt"] = number_;
    facts["trial"] = folder_.path().filename().string();
    facts["at"] = wall_time();
    facts["host"] = host_name();
    facts["threads"] = request_.runtime.threads;
    facts["device"] = request_.runtime.device;
    facts["deterministic"] = request_.runtime.deterministic;
    facts["build_id"] = own_build_id();
    if (!own_commit().empty()) facts["commit"] = own_commit();
    if (request_.gpu) facts["gpu"] = *request_.gpu;
    if (request_.gpu && is_mps_running()) facts["mps"] = true;
    events_.prepare_start(std::move(facts));
  }

  AttemptExit run_job() {
    const Trial trial = checked_trial(read_store_json(folder_.trial()));
    if (const auto code = code_of(trial); !code.empty())
      events_.add_start_facts({{kCodeFact, code}});
    require_unchanged_files(trial, request_.runtime);
    Inputs inputs = read_inputs(trial, request_.store);
    CheckpointFolder checkpoints(folder_.checkpoints(), events_);
    if (repeats_) {
      remove_tree(folder_.repetition());  // of a killed attempt
      std::filesystem::create_directory(folder_.repetition());
    }
    JobContext context{.trial = trial,
                       .runtime = request_.runtime,
                       .inputs = std::move(inputs.artifacts),
                       .parents = std::move(inputs.results),
                       .events = events_,
                       .checkpoints = checkpoints,
                       .artifacts = artifacts(),
                       .stop = stop_wanted,
                       .published = {},
                       .store = request_.store,
                       .attempt = folder_.attempt(number_)};
    const JobOutcome outcome = jobs().make(trial.job, trial.config)->run(context);
    if (outcome == JobOutcome::interrupted) {
      write_end_event({{"outcome", to_text(AttemptOutcome::interrupted)}});
      make_durable();
      return AttemptExit::interrupted;
    }
    const bool done = outcome == JobOutcome::done;
    if (done) require_same_artifacts(context);
    if (repeats_) take_files_of_repetition(folder_);
    write_end_event({{"outcome", to_text(done ? AttemptOutcome::done : AttemptOutcome::diverged)}});
    publish_result(context, done);
    return done ? AttemptExit::done : AttemptExit::diverged;
  }

  /// `end` has the outcome and, after a failure, a message and the code of the error.
  void write_end_event(Json end) {
    events_.measurement("peak_memory_bytes", 0, peak_memory_bytes());
    events_.measurement(kAttemptSeconds, 0, monotonic_seconds() - begun_s_);
    end["event"] = to_text(EventKind::end);
    end["at"] = wall_time();
    events_.write(end);
  }

  /// Makes the events of an attempt without a result durable: the last event records its end.
  void make_durable() {
    events_.sync();
    sync_folder(folder_.path());
  }

  /// The folder for this attempt's files. Files of an earlier result stay until the new files prove
  /// to be equal, since that result may remain the valid one.
  std::filesystem::path artifacts() const {
    return repeats_ ? folder_.repetition() : folder_.artifacts();
  }

  /// Frees space: without a result, nothing lists the files of this attempt.
  void drop_unfinished_files() const {
    drop_temporary_files(folder_);
    std::error_code ignored;  // the next attempt overwrites a file that cannot be removed
    std::filesystem::remove_all(artifacts(), ignored);
  }

  AttemptExit end_badly(AttemptExit code, AttemptOutcome outcome, MessageCode error,
                        const std::string& message) {
    log_error(message);
    try {
      events_.message("error", message);
      write_end_event(
          {{"outcome", to_text(outcome)}, {"message", message}, {"error", error.text()}});
      make_durable();
    } catch (const MachineError& fault) {
      log_error(fault.what());  // the exit code still reports it
    }
    return code;
  }

  /// A trial that repeats removed weights must give equal files.
  void require_same_artifacts(const JobContext& context) const {
    const std::optional<Json> old_result = old_result_if_sound();
    if (!old_result) return;
    const auto require_same = [](const std::string& what, const std::string& now,
                                 const std::string& old) {
      if (now == old) return;
      throw TrialError(
          "result-differs",
          fmt::format("{} differ from those of the first result: SHA-256 {}, expected {}", what,
                      now, old));
    };
    // A select has the files of all its winners: the same name once per seed.
    std::map<std::pair<std::string, std::optional<int64_t>>, std::string> expected;
    for (const Artifact& old : artifacts_of(*old_result, folder_))
      expected[{old.name, old.seed}] = old.sha256;
    for (const Artifact& now : context.published) {
      if (const auto old = expected.find({now.name, now.seed}); old != expected.end())
        require_same(now.name, now.sha256, old->second);
    }
    // Weights that were not kept have their hash only here.
    if (context.result.contains(kWeightsSha256) && old_result->contains(kWeightsSha256))
      require_same("weights", context.result.at(kWeightsSha256), old_result->at(kWeightsSha256));
  }

  /// Nothing if there is no result, or a damaged one; then nothing can be compared.
  std::optional<Json> old_result_if_sound() const {
    std::optional<StoredJson> old = result_as_written(folder_.old_result());
    if (!old) return std::nullopt;
    if (old->is_sound()) return std::move(old->object);
    log_warning(fmt::format("{} is damaged ({}): the repeated result is not compared with it",
                            folder_.old_result().string(), old->damage));
    return std::nullopt;
  }

  void publish_result(const JobContext& context, bool done) {
    Json result = context.result;
    result["trial"] = context.trial.id;
    result["seed"] = context.trial.seed ? Json(*context.trial.seed) : Json();
    result["outcome"] = to_text(done ? AttemptOutcome::done : AttemptOutcome::diverged);
    result["attempt"] = number_;
    result["events"] = events_.offset();
    result["metrics"] =
        number_ == 1 ? events_.last_metrics() : summarize_events(folder_.path(), number_).metrics;
    result["artifacts"] = Json::array();
    for (const Artifact& artifact : context.published) {
      result["artifacts"].push_back(to_json(artifact, folder_.path()));
    }
    // With a hundred thousand small trials, empty folders and logs would be a quarter of the files.
    rmdir(folder_.artifacts().c_str());  // fails if the folder is not empty
    PendingFile pending(folder_.result());
    write_all(open_file(pending.temporary(), O_WRONLY | O_CREAT | O_TRUNC).get(),
              stored_text(result), folder_.result());
    kill_point("after_result_written");
    require_newest_attempt(folder_, number_);
    // Flushes the events, the folders' entries and the result at once: a flush of a single file
    // costs as much.
    sync_disk(folder_.path());
    kill_point("before_result_rename");
    if (request_.claim) {
      link_result(pending);
    } else {
      pending.rename_to_final();
    }
    kill_point("after_result_rename");
    tidy_up();
  }

  /// A rename would replace the result of an attempt on another machine. A network file system may
  /// repeat the call; then the file has two names, whatever the call returns.
  void link_result(const PendingFile& pending) const {
    if (link(pending.temporary().c_str(), folder_.result().c_str()) == 0) return;
    const int number = errno;
    struct stat status {};
    if (stat(pending.temporary().c_str(), &status) == 0 && status.st_nlink == 2) return;
    if (number != EEXIST) throw_file_error(folder_.result(), "cannot link to it", number);
    throw FencedError("trial-fenced",
                      folder_.path().string() + ": another attempt has stored its result");
  }

  /// The result is valid now, so a failure here must not remove its files.
  void tidy_up() const {
    try {
      sync_folder(folder_.path());
      kill_point("after_result");
      remove_checkpoints(folder_);
      kill_point("after_checkpoints_removed");
      remove_claims(folder_.path());
      remove_empty_log();
    } catch (const MachineError& error) {
      log_warning(error.what());
    } catch (const ConfigError& error) {
      log_warning(error.what());
    }
  }

  void remove_empty_log() const {
    struct stat log {};
    if (fstat(STDOUT_FILENO, &log) == 0 && S_ISREG(log.st_mode) && log.st_size == 0)
      unlink(folder_.log(number_).c_str());
  }

  const AttemptRequest& request_;
  const TrialFolder& folder_;
  const FolderLock& lock_;
  const int64_t number_;
  const bool repeats_;  // an earlier result was set aside
  const double begun_s_ = monotonic_seconds();
  EventLog events_;
};

/// Makes the folder of attempt `number`; false if another process has it.
bool make_attempt(const AttemptRequest& request, const TrialFolder& folder, int64_t number) {
  if (request.claim) {
    return claim_attempt(folder.attempt(number), {.job = request.claim->job,
                                                  .restart = request.claim->restart,
                                                  .node = host_name(),
                                                  .worker = this_process()});
  }
  if (mkdir(folder.attempt(number).c_str(), 0777) == 0) return true;
  if (errno != EEXIST) throw_file_error(folder.attempt(number), "cannot make the folder", errno);
  return false;
}

AttemptExit lock_and_run(const AttemptRequest& request, const std::function<void()>& begun) {
  const TrialFolder folder(request.trial);
  auto lock = FolderLock::try_take(folder.path());
  if (!lock) return AttemptExit::fenced;
  kill_point("after_trial_lock");
  if (std::filesystem::exists(folder.result())) return AttemptExit::fenced;
  const std::vector<int64_t> before = folder.attempts();
  if (!before.empty()) drop_temporary_files(folder);
  const int64_t number = next_attempt(folder);
  // Another pilot took the number first.
  if (request.claim && request.claim->attempt != number) return AttemptExit::fenced;
  if (!make_attempt(request, folder, number)) return AttemptExit::fenced;
  kill_point("after_attempt_folder");
  // The first attempt's folder becomes durable with its first checkpoint (a new folder beside it)
  // or its result.
  if (number > 1) sync_folder(folder.path());
  lock->sign(to_json(this_process()).dump() + "\n");  // for drivers that find the trial running
  begun();
  redirect_output(folder.log(number));
  Attempt attempt(request, folder, *lock, number);
  kill_point("after_event_log");
  return attempt.run();
}

}  // namespace

AttemptExit run_attempt(const AttemptRequest& request, const std::function<void()>& begun) {
  try {
    set_kill_point_folder(request.store);
    set_up_process(request);
    return lock_and_run(request, begun);
  } catch (const std::bad_alloc&) {  // memory ran out before the attempt could report it
    log_error(fmt::format("{}: out of memory", request.trial.string()));
    return AttemptExit::oom;
  } catch (const std::exception& error) {
    const AttemptExit code = exit_for(error);
    // The driver reports the failures that it counts, and a limit may refuse many at once.
    if (code != AttemptExit::no_resources)
      log_error(fmt::format("{}: {}", request.trial.string(), message_of(error)));
    return code;
  }
}

void prepare_attempts() {
  own_build_id();
  own_commit();  // before another build writes its commit
  this_process();
  wall_time();
  sha256_hex("");  // OpenSSL builds its tables at the first hash: half a millisecond
  prepare_trial_checks();
}

}  // namespace rethink
