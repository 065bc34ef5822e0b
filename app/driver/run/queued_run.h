// Runs planned sweeps, by this command or by the driver that holds the store. In the second case
// the sweeps enter the driver's queue, and this command shows their progress until they have ended.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "app/driver/command.h"
#include "app/driver/run/progress.h"
#include "experiments/plan/plan.h"
#include "experiments/run/sweep_run.h"

namespace rethink {

struct RunEnd {
  RunReport report;
  bool stays_queued = false;  // Ctrl-C: the sweeps stay in the driver's queue
  bool shared = false;  // stays_queued: the driver runs one of the sweeps for another command, too
};

/// Runs the trials as run_sweeps does, with progress on standard error. If another driver holds the store, passes them
/// to that driver, unless --max-trials or --fail-fast count the trials of this command. `plan_choices` made `plans`.
/// `ended_before`: trials of the command that ended before and that `choices` leaves out; the progress counts them.
/// Requires: declare_machine_choices. Throws as run_sweeps and hand_to_driver.
RunEnd run_or_queue(const CommandContext& context, const po::variables_map& given,
                    std::vector<Plan>& plans, const PlanChoices& plan_choices,
                    const RunChoices& choices, const TrialCounts& ended_before = {});

/// Writes to standard error how to remove queued sweeps from the queue, and how to watch them. `shared`: RunEnd::shared.
/// `asked`: the trials that the command needs, if these are not all trials of the sweeps. Then only
/// these are named, since the sweeps on record may have others.
void print_queue_advice(const CommandContext& context, const std::vector<Plan>& plans,
                        const std::optional<std::set<std::string>>& asked, bool shared);

}  // namespace rethink
