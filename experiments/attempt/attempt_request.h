// What is said between the driver and a worker about one attempt: lines of JSON on the zygote's socket pair, and
// the arguments of `rethink-worker attempt`.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "experiments/attempt/job.h"

namespace rethink {

/// Run this trial once.
struct AttemptRequest {
  std::filesystem::path trial;     // its folder in the store; trial.json is there
  std::filesystem::path store;
  Runtime runtime;
  std::vector<int> cores;          // pin to these; empty = leave alone
  std::optional<std::string> gpu;  // "GPU-<uuid>"
};

Json to_json(const AttemptRequest& request);
AttemptRequest request_from_json(const Json& json);

/// How an attempt ended; the trial's state follows from it and from the retry rules (attempts.md 4).
enum class AttemptOutcome { done, diverged, failed, oom, killed, timeout, lost, interrupted, fenced };
const char* to_text(AttemptOutcome outcome);
AttemptOutcome outcome_named(const std::string& text);

}  // namespace rethink
