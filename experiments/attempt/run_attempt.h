// Runs one attempt in this process, from the request to the exit code.
#pragma once

#include <functional>

#include "experiments/attempt/attempt_request.h"

namespace rethink {

/// Runs the attempt in this process, which is the attempt's own: raises its oom_score_adj, pins it,
/// chooses the GPU, turns SIGTERM into the stop flag, sends standard output and error to the
/// attempt's log, takes the trial's lock before anything else of the trial, and runs the job. Never
/// throws; the events record what went wrong (outcome and message). Durable: for done and diverged,
/// result.json and everything that it lists; else the attempt's events. Calls `begun` as soon as
/// the lock is held and signed; never if the attempt ends before that.
AttemptExit run_attempt(
    const AttemptRequest& request, const std::function<void()>& begun = [] {});

/// Initializes everything that an attempt otherwise makes at first use, so that forked children
/// share it.
void prepare_attempts();

}  // namespace rethink
