// What is said between the driver and a worker about one attempt: lines of JSON on the zygote's
// socket pair, and the arguments of `rethink-worker attempt`.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/json_fwd.h"
#include "experiments/attempt/job.h"

namespace rethink {

/// Run this trial once.
struct AttemptRequest {
  std::filesystem::path trial;  // its folder in the store; trial.json is there
  std::filesystem::path store;
  Runtime runtime;
  std::vector<int> cores;          // pin to these; empty = leave alone
  std::optional<std::string> gpu;  // "GPU-<uuid>"
};

Json to_json(const AttemptRequest& request);
AttemptRequest request_from_json(const Json& json);

/// How an attempt ended; the trial's state follows from it and from the retry rules
/// (experiments/schedule/charges.h).
enum class AttemptOutcome {
  done,
  diverged,
  failed,
  oom,
  killed,
  timeout,
  lost,
  interrupted,
  fenced
};
const char* to_text(AttemptOutcome outcome);
/// Throws ConfigError when there is no such outcome.
AttemptOutcome outcome_named(const std::string& text);

/// Exit codes of an attempt's process.
enum class AttemptExit {
  done = 0,
  failed = 10,
  diverged = 11,
  interrupted = 12,
  fenced = 13,
  oom = 14,
  disk_full = 15
};

/// What a status of waitpid says. SIGKILL is oom only when the kernel's counter rose, else killed;
/// so are SIGTERM, SIGINT and SIGHUP; any other signal or code is failed; a full disk is
/// interrupted. `timeout` and `lost` only the driver knows.
AttemptOutcome outcome_of(int status, bool oom_killed);

/// Whether the attempt ended for want of disk space: it is not charged, and nothing more should
/// start.
bool ended_by_full_disk(int status);

}  // namespace rethink
