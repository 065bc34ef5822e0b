#include "experiments/run/attempts/attempt_endings.h"

#include <fmt/format.h>
#include <sys/wait.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <set>

#include "core/json.h"
#include "core/store_files/event.h"
#include "core/store_files/result_file.h"
#include "core/system/kill_point.h"
#include "core/system/process.h"
#include "experiments/attempt/checkpoint_folder.h"
#include "experiments/attempt/trial_files.h"
#include "experiments/run/attempts/attempt_history.h"
#include "results/folders/stored_trial.h"

namespace rethink {
namespace {

/// The report of an attempt in its events.
struct ReportedEnding {
  std::optional<int64_t> resume_step;  // nothing: it ended before it began
  std::set<int64_t> damaged;           // steps of checkpoints that the attempt could not read
  std::optional<AttemptOutcome> outcome;
  std::string message;
};

ReportedEnding reported_ending(const TrialFolder& folder, int64_t number) {
  ReportedEnding reported;
  if (number == 0 || !std::filesystem::exists(folder.events(number))) return reported;
  read_events(folder.events(number), 0, [&](const Json& event) {
    const EventKind kind = event_kind(event);
    if (kind == EventKind::start) {
      reported.resume_step = resume_step_of(event);
      reported.damaged = event.value("damaged", reported.damaged);
    }
    if (kind != EventKind::end) return;
    reported.outcome = attempt_outcome_named(event.at("outcome"));
    reported.message = event.value("message", "");
  });
  return reported;
}

/// Reads the folder and not the attempt's events, since a kill may come between the checkpoint and
/// its event.
bool has_new_checkpoint(const TrialFolder& folder, const ReportedEnding& reported) {
  if (!reported.resume_step) return false;
  const std::vector<Checkpoint> all = checkpoints_in(folder.checkpoints());
  return std::ranges::any_of(all, [&](const Checkpoint& checkpoint) {
    return checkpoint.step > *reported.resume_step && !reported.damaged.count(checkpoint.step);
  });
}

/// `unwritten`: the file or folder in which the attempt would have recorded its end.
std::string how_it_ended(const Ending& ending, MachineFault fault,
                         const std::filesystem::path& unwritten) {
  if (!ending.message.empty()) return ending.message;
  if (fault == MachineFault::resources)
    return "cannot start a thread or open a file: a limit on threads (ulimit -u), files (-n) or "
           "memory (-v)";
  if (fault == MachineFault::disk)
    return unwritten.string() + ": cannot write: the disk failed; the trial's log may say more";
  if (fault == MachineFault::disk_full) {
    return unwritten.string() +
           ": cannot write: the disk is full, or a quota or a limit on file sizes (ulimit -f) is "
           "reached; make room and run the same command again";
  }
  if (ending.driver_gone) return "its driver ended first";
  if (ending.zygote_gone) return "its zygote ended first";
  if (!ending.status_known) return "its process has ended";
  if (ending.oom_killed)
    return "killed by the system for want of memory; run fewer at once (--slots)";
  return fmt::format("ended {} {}", WIFSIGNALED(ending.status) ? "by" : "with",
                     how_ended(ending.status));
}

/// libgomp ends the process if it cannot make a thread: with code 1, which no worker uses, and the
/// reason in the log.
bool lacked_threads(int status, const std::filesystem::path& log) {
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 1) return false;
  std::ifstream lines(log);
  for (std::string line; std::getline(lines, line);) {
    if (line.find("libgomp: Thread creation failed") != std::string::npos) return true;
  }
  return false;
}

void take_metrics(const Json& result, EndedAttempt& left) {
  const Json metrics = result.value("metrics", Json::object());
  for (const auto& [name, value] : metrics.items()) {
    if (value.is_number()) left.metrics.emplace(name, value.get<double>());
  }
}

void take_choice(const Json& result, EndedAttempt& left) {
  const auto selected = result.find("selected");
  if (selected == result.end()) return;
  std::vector<std::string> labels;
  for (const Json& label : selected->at("labels")) {
    labels.push_back(label.at("axis").get<std::string>() + "=" +
                     label.at("value").get<std::string>());
  }
  left.chosen = fmt::format("{} ({} {:.6g})", joined(labels, " "), selected->value("by", "score"),
                            selected->at("score").get<double>());
  const int64_t tied = selected->value("tied", 1);
  if (tied > 1)
    left.chosen += fmt::format(", the first in the sweep's order of {} that are equal", tied);
}

}  // namespace

int64_t last_attempt(const TrialFolder& folder) {
  const std::vector<int64_t> numbers = folder.attempts();
  return numbers.empty() ? 0 : numbers.back();
}

bool is_over(const TrialFolder& folder, int64_t attempt) {
  return std::filesystem::exists(folder.end(attempt)) || was_set_aside(folder, attempt);
}

bool has_written_it(const Ending& ending) {
  return ending.status_known && ending.status == 0;
}

double seconds_of_last_attempt(const TrialFolder& folder) {
  const int64_t attempt = last_attempt(folder);
  if (attempt == 0) return 0;
  // The lock was written when the attempt began, the events last when it ended.
  std::error_code missing;
  const auto begun = std::filesystem::last_write_time(folder.lock(), missing);
  const auto ended = std::filesystem::last_write_time(folder.events(attempt), missing);
  return missing ? 0 : std::max(0.0, std::chrono::duration<double>(ended - begun).count());
}

EndedAttempt judge_result(const TrialFolder& folder, const StoredJson& result, bool has_all_events,
                          const Ending& ending) {
  // A damaged file that a successful attempt has just written is its own fault; a free repetition
  // would never end.
  const bool is_its_own = has_written_it(ending);
  EndedAttempt left;
  if (!result.is_sound()) {
    remove_damaged_result(folder);
    left.free = !is_its_own;
    left.message =
        fmt::format("its result.json is damaged ({}); the trial runs again", result.damage);
    return left;
  }
  if (!has_all_events) {
    // Without all its events a result cannot be trusted. The trial runs again and must give the
    // same result.
    run_again(folder);
    left.free = !is_its_own;
    left.message = "its events are damaged; the trial runs again";
    return left;
  }
  left.outcome = attempt_outcome_named(result.object.at("outcome"));
  if (left.outcome == AttemptOutcome::diverged) left.message = to_text(left.outcome);
  take_metrics(result.object, left);
  take_choice(result.object, left);
  return left;
}

EndedAttempt judge_without_result(const TrialFolder& folder, int64_t number, const Ending& ending) {
  // The process did not begin an attempt, so the last attempt is another process's.
  const bool is_anothers = number > 0 && std::filesystem::exists(folder.end(number));
  const ReportedEnding reported = is_anothers ? ReportedEnding{} : reported_ending(folder, number);
  EndedAttempt left;
  if (ending.status_known) left.fault = fault_of(ending.status);
  if (!is_anothers && ending.status_known && lacked_threads(ending.status, folder.log(number)))
    left.fault = MachineFault::resources;
  if (ending.refused) left.fault = MachineFault::resources;
  if (ending.ordered) {
    left.outcome = *ending.ordered;
  } else if (left.fault == MachineFault::resources) {
    left.outcome = AttemptOutcome::lost;
  } else if (ending.status_known) {
    left.outcome = outcome_of(ending.status, ending.oom_killed);
  } else {
    left.outcome = reported.outcome.value_or(AttemptOutcome::lost);
  }
  // Exit code 0 without a result is a bug of rethink; running again is safe.
  if (left.outcome == AttemptOutcome::done || left.outcome == AttemptOutcome::diverged) {
    left.outcome = AttemptOutcome::lost;
  }
  const bool lost_its_gpu = !ending.lost_gpu.empty() &&
                            left.outcome != AttemptOutcome::interrupted &&
                            left.outcome != AttemptOutcome::fenced;
  if (lost_its_gpu) left.outcome = AttemptOutcome::lost;
  left.new_checkpoint = !is_anothers && has_new_checkpoint(folder, reported);
  const bool describes_ending = reported.message.empty() || left.outcome == AttemptOutcome::timeout;
  const std::filesystem::path unwritten =
      is_anothers || number == 0 ? folder.path() : folder.events(number);
  left.message = describes_ending ? how_it_ended(ending, left.fault, unwritten) : reported.message;
  if (left.outcome == AttemptOutcome::interrupted && left.fault == MachineFault::none)
    left.message = "stopped";
  if (lost_its_gpu) {
    left.message = fmt::format("{} no longer answers (`nvidia-smi` and `dmesg` show more): {}",
                               ending.lost_gpu, left.message);
  }
  const bool ended_with_others = lost_its_gpu || (left.outcome == AttemptOutcome::lost &&
                                                  (ending.driver_gone || ending.zygote_gone));
  left.free = left.fault != MachineFault::none || ended_with_others ||
              left.outcome == AttemptOutcome::interrupted || left.outcome == AttemptOutcome::fenced;
  return left;
}

std::optional<AttemptEnd> write_ending(const TrialFolder& folder, int64_t number,
                                       const EndedAttempt& left, const Ending& ending,
                                       TrialState after) {
  // The decision is written before the ending that caused it: a driver killed in between must not
  // decide again.
  if (after == TrialState::failed || after == TrialState::cancelled) {
    write_trial_state(folder.path(), after, left.message);
    kill_point("after_trial_state");
  }
  const bool says_it_itself =
      left.outcome == AttemptOutcome::done || left.outcome == AttemptOutcome::diverged;
  if (says_it_itself || left.outcome == AttemptOutcome::fenced || number == 0) return std::nullopt;
  // This process did not begin an attempt.
  if (std::filesystem::exists(folder.end(number))) return std::nullopt;
  // Another process runs the trial, or did until now; that process records the end.
  if (has_running_worker(folder) || std::filesystem::exists(folder.result())) return std::nullopt;
  AttemptEnd end;
  end.outcome = left.outcome;
  end.message = left.message;
  if (ending.status_known) end.status = ending.status;
  end.seconds = ending.seconds;
  end.new_checkpoint = left.new_checkpoint;
  end.charged = is_charged(left.outcome, left.new_checkpoint, left.free);
  kill_point("before_attempt_end");
  write_attempt_end(folder.attempt(number), end);
  kill_point("after_attempt_end");
  return end;
}

}  // namespace rethink
