// `rethink run` while a driver works on the store: its sweeps go into the queue of the driver, and it shows how far they
// are until they have ended.
#pragma once

#include <atomic>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/driver/command.h"
#include "experiments/plan/plan.h"
#include "experiments/run/sweep_queue.h"
#include "experiments/run/sweep_run.h"

namespace rethink {

/// How a run that others did for this command ended.
struct QueuedEnd {
  RunReport report;
  bool left = false;  // Ctrl-C: the sweeps stay in the driver's queue
};

/// For a command that runs a part of its trials only, which no queue takes. Throws MachineError when a driver works on the
/// store: who it is, and what to type `instead`: "leave out --max-trials to ...".
void require_no_driver(const std::filesystem::path& store, const std::string& instead);

/// Hands the sweeps of `plans` to the driver of the store, and returns when all their trials have ended or a signal
/// came. Nothing when no driver is there, or when it went away before the trials ended, which standard error says: then
/// they are this command's to run. Throws as hand_to_driver.
std::optional<QueuedEnd> run_in_queue(const CommandContext& context, QueuedSweeps sweeps,
                                      const std::vector<Plan>& plans,
                                      const std::atomic<int>& signals);

}  // namespace rethink
