// Runs one attempt in this process, from the request to the exit code.
#pragma once

#include <functional>

#include "experiments/attempt/attempt_request.h"

namespace rethink {

/// Runs the attempt in this process, which is the attempt's own: raises its oom_score_adj, pins it,
/// chooses the GPU, turns SIGTERM into the stop flag, sends standard output and error to the
/// attempt's log, takes the trial's lock before anything else of it, and runs the job. Never
/// throws; what went wrong stands in the events (outcome and message). Durable: for done and
/// diverged, result.json and everything it lists; else the attempt's events. `begun` is called once
/// the lock is held and says whose it is; never when the attempt does not get that far.
AttemptExit run_attempt(
    const AttemptRequest& request, const std::function<void()>& begun = [] {});

/// Touches what every attempt needs and is made at its first use, so that forked children find it
/// ready.
void prepare_attempts();

}  // namespace rethink
