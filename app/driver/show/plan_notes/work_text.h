// The time and disk space that the trials of a plan will need, in words: measured on similar
// trials, estimated from configurations, or unknown.
#pragma once

#include <string>

#include "experiments/plan/plan_report.h"

namespace rethink {

/// Returns the FLOPs per second of one slot, from the store's trials, else an assumed rate.
double training_rate(const PlanReport& report);

/// Returns "this store's 2.1e+11 FLOP/s" or "an assumed 1.0e+11 FLOP/s".
std::string training_rate_text(const PlanReport& report);

/// Estimates of less time are not shown: starting a worker and reading data alone take seconds.
constexpr double kLeastEstimate_s = 60;

/// Returns "12 min", or "under a minute" below kLeastEstimate_s.
std::string training_time_text(double seconds);

/// Returns three lines on the trials to run: their number, the time of one slot, and the disk
/// space, of which `free_bytes` are left. A number that does not cover all trials says how many it
/// covers; each number names its source.
std::string work_text(const PlanReport& report, double free_bytes);

}  // namespace rethink
