// Runs planned sweeps, by this command or by the driver that works on the store: then the sweeps go into the queue of
// that driver, and this command shows how far they are until they have ended.
#pragma once

#include <vector>

#include "app/driver/command.h"
#include "experiments/plan/plan.h"
#include "experiments/run/sweep_run.h"

namespace rethink {

struct RunEnd {
  RunReport report;
  bool stays_queued = false;  // Ctrl-C: the sweeps stay in the driver's queue
};

/// Runs the trials as run_sweeps does, with progress on standard error. While another driver works on the store, hands
/// them to that driver, unless --max-trials or --fail-fast count the trials of this command. `plan_choices`: those that
/// `plans` were made with. Requires: declare_machine_choices. Throws as run_sweeps and hand_to_driver.
RunEnd run_or_queue(const CommandContext& context, const po::variables_map& given,
                    std::vector<Plan>& plans, const PlanChoices& plan_choices,
                    const RunChoices& choices);

/// Says on standard error how to take queued sweeps out of the queue, and how to watch them. `words`: how `cancel` names
/// them (" mine.yaml --profile small").
void print_queue_advice(const CommandContext& context, const std::string& words);

}  // namespace rethink
