// How much time and disk the trials of a plan will take, in words: measured on similar trials, estimated from
// configurations, or unknown.
#pragma once

#include <string>

#include "experiments/plan/plan_report.h"

namespace rethink {

/// FLOPs per second of one slot: of the store's trials, else an assumed rate.
double training_rate(const PlanReport& report);

/// "this store's 2.1e+11 FLOP/s", "an assumed 1.0e+11 FLOP/s".
std::string training_rate_text(const PlanReport& report);

/// "12 min"; what is short is lost in what the estimate leaves out.
std::string training_time_text(double seconds);

/// Returns three lines on the trials to run: how many, the time of one slot, and the disk, of which `free_bytes` are left.
/// Each number says of how many trials it is, where it is not of all, and where it comes from.
std::string work_text(const PlanReport& report, double free_bytes);

}  // namespace rethink
