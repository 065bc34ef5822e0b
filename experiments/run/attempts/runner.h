// The scheduler's interface to processes, so that tests can script outcomes.
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "experiments/attempt/attempt_request.h"

namespace rethink {

/// The end of an attempt that the runner started or adopted.
struct RunnerEvent {
  std::string trial;
  int status = 0;            // of waitpid; meaningless for adopted orphans
  bool status_known = true;  // false: an orphan ended, or the zygote died with the status
  bool oom_killed = false;   // the cgroup's oom_kill counter rose
  bool zygote_gone = false;  // status unknown because the zygote died, not because it was an orphan
  bool refused = false;      // the attempt never started: the system refused a process
  std::string message;       // why it was never started
};

class Runner {
 public:
  virtual ~Runner() = default;
  virtual void start(const std::string& trial, const AttemptRequest& request) = 0;
  /// Watches a trial that a process of an earlier driver still runs.
  virtual void adopt(const std::string& trial, const std::filesystem::path& folder) = 0;
  /// Sends SIGTERM (checkpoint and end), or SIGKILL if `now`. Returns "", or why the process of an
  /// adopted trial was left alone, and what to do.
  virtual std::string stop(const std::string& trial, bool now) = 0;
  /// Waits at most `timeout` for an event.
  virtual std::vector<RunnerEvent> poll(std::chrono::milliseconds timeout) = 0;
};

}  // namespace rethink
