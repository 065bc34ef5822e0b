// The messages between the driver and a worker about one attempt: lines of JSON on the zygote's
// socket pair, and the arguments of `rethink-worker attempt`.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/json_fwd.h"
#include "core/system/machine_fault.h"
#include "core/trial_state.h"
#include "experiments/attempt/job.h"

namespace rethink {

/// The attempt that a pilot's worker has to claim (core/store_files/lease.h).
struct AttemptClaim {
  int64_t attempt = 1;  // the worker ends as fenced if another worker has this attempt
  std::string job;      // of the pilot
  int restart = 0;
};

/// Run this trial once.
struct AttemptRequest {
  std::filesystem::path trial;  // its folder in the store; trial.json is there
  std::filesystem::path store;
  Runtime runtime;
  std::vector<int> cores;               // pin to these; empty = leave alone
  std::optional<std::string> gpu;       // "GPU-<uuid>"; several with commas between them
  bool without_libtorch = false;        // the worker is this program itself (`rethink serve`)
  std::optional<AttemptClaim> claim{};  // of a pilot's worker
};

Json to_json(const AttemptRequest& request);
AttemptRequest request_from_json(const Json& json);

/// Exit codes of an attempt's process.
enum class AttemptExit {
  done = 0,
  failed = 10,
  diverged = 11,
  interrupted = 12,
  fenced = 13,
  oom = 14,
  disk_full = 15,
  disk_error = 16,
  no_resources = 17,
  killed = 18
};

/// Returns the outcome that a status of waitpid means. SIGKILL is oom only if the kernel's counter
/// rose, else killed. SIGTERM, SIGINT, SIGHUP, and a program that one of these ended, are killed.
/// Any other signal or code is failed. A full or failing disk is interrupted; a lack of processes,
/// threads or open files is lost. Only the driver knows `timeout`.
AttemptOutcome outcome_of(int status, bool oom_killed);

/// Returns which part of the machine ended an attempt with this status of waitpid. Such an attempt
/// is not charged.
MachineFault fault_of(int status);

}  // namespace rethink
