// The work of `rethink pilot`, a job of a site: runs trials of a plan (pilot_plan.h) from the store's folders until none is
// left that it could begin. Other pilots work on the same trials; none of them opens the database.
#pragma once

#include <atomic>
#include <filesystem>
#include <string>

#include "core/config/schema.h"
#include "experiments/run/scheduler.h"
#include "results/folders/pilot_sets.h"

namespace rethink {

struct PilotReport {
  bool set_is_closed = false;     // its set was closed before it began: nothing was run
  bool interrupted = false;       // by a signal, with trials left
  size_t started = 0;             // trials
  std::string machine_problem{};  // why nothing more was started; empty: the machine can
};

/// `programs`: the folder with rethink-worker. After a signal (`signals` counts them), or when the job's time is up,
/// workers write a checkpoint and end. If trials are left, the job then returns to its queue if the queue allows it.
/// Throws MachineError if the plan was made by another build, and as Scheduler::run.
PilotReport run_pilot(const PilotSet& set, const std::filesystem::path& store,
                      const std::filesystem::path& programs, const Schema& schema,
                      SchedulerListener& listener, const std::atomic<int>& signals);

}  // namespace rethink
