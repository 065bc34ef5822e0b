// Planned sweeps in the queue of the driver that holds the store. The command that put them there
// shows their progress until they have ended.
#pragma once

#include <atomic>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "app/driver/command.h"
#include "experiments/plan/plan.h"
#include "experiments/run/sweep_run.h"

namespace rethink {

struct RunEnd {
  RunReport report;
  bool stays_queued = false;  // Ctrl-C: the sweeps stay in the driver's queue
  bool shared = false;        // there: the driver has one of them for another command, too
};

/// Passes the sweeps to the driver that holds the store, and returns when their trials have ended.
/// Returns nothing if this command must run them: without a driver, or if the driver ended early.
/// `plan_choices` made `plans`; `signals` is the number of received signals. Requires:
/// declare_machine_choices. Throws MachineError if there is a driver but --max-trials or --fail-fast
/// count the trials of this command, and as hand_to_driver.
std::optional<RunEnd> run_in_queue(const CommandContext& context, const po::variables_map& given,
                                   const std::vector<Plan>& plans, const PlanChoices& plan_choices,
                                   const RunChoices& choices, const std::atomic<int>& signals);

/// Writes to standard error how to remove queued sweeps from the queue, and how to watch them. `shared`: RunEnd::shared.
/// `asked`: the trials that the command needs, if these are not all trials of the sweeps. Then only
/// these are named, since the sweeps on record may have others.
void print_queue_advice(const CommandContext& context, const std::vector<Plan>& plans,
                        const std::optional<std::set<std::string>>& asked, bool shared);

}  // namespace rethink
