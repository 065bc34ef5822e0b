// `rethink pilot`: the command of a job that `rethink run --site` submits.
#include "experiments/run/pilots/pilot.h"

#include <fmt/format.h>
#include <signal.h>

#include <iostream>

#include "app/driver/cli/terminal.h"
#include "app/driver/command.h"
#include "app/driver/run/progress.h"
#include "core/error.h"
#include "core/files/file.h"
#include "core/files/unique_names.h"
#include "core/message.h"
#include "core/system/process.h"
#include "experiments/site/site.h"
#include "results/folders/pilot_sets.h"

namespace rethink {
namespace {

/// Queues announce the end of a job by a signal of the user's choice. Requires: a SignalCounter exists.
void count_user_signals_too() {
  struct sigaction as_term {};
  sigaction(SIGTERM, nullptr, &as_term);
  for (const int number : {SIGUSR1, SIGUSR2}) sigaction(number, &as_term, nullptr);
}

class Pilot : public Command {
 public:
  std::string positional() const override { return "SET"; }

  bool needs_folders() const override { return true; }
  void declare(po::options_description&) const override {}
  std::string more_help(const CommandContext&) const override {
    return "SET is a folder in STORE/pilots, which `rethink run SWEEP --site NAME` makes. The "
           "job's script names it, so\n"
           "this command is not typed by hand.\n"
           "\n";
  }

  int run(const CommandContext& context, const po::variables_map& given) override {
    const std::vector<std::string> sets = arguments_of(given);
    const bool is_set = sets.size() == 1 && is_uuid(sets.front());
    if (!is_set) {
      throw ConfigError("invalid-argument",
                        "rethink pilot: expected the name of one folder in STORE/pilots; `rethink "
                        "run SWEEP --site NAME` starts pilots");
    }
    const std::filesystem::path store = whole_path(context.store);
    const PilotSet set(store / "pilots" / sets.front());
    if (!std::filesystem::exists(set.plan())) {
      throw MachineError(
          "store-unusable",
          fmt::format("{} does not exist on {}: put the store on a disk that all nodes share "
                      "(--store), or cancel this job if its store was removed",
                      set.plan().string(), host_name()));
    }
    const SignalCounter counter;
    count_user_signals_too();
    const std::atomic<int>& signals = counter.seen();
    ProgressDisplay display(ProgressDisplay::mode_for(stderr, context.quiet), stderr,
                            monotonic_seconds, {}, score_by_schema(context.schema()));
    std::cerr << fmt::format("pilot {} on {}\n", own_job(), host_name());
    const PilotReport report =
        run_pilot(set, store, context.programs, context.schema(), display, signals);
    if (report.set_is_closed) {
      std::cerr << "this submission was closed before the pilot began: nothing to run\n";
      return kDone;
    }
    if (!report.machine_problem.empty()) {
      std::cerr << report.machine_problem << "; nothing more was started\n";
      return kMachineError;
    }
    std::cerr << fmt::format("{} run here\n", counted(report.started, "trial"));
    return report.interrupted ? kInterrupted : kDone;
  }
};

RETHINK_REGISTERED =
    add_command<Pilot>("pilot", "what a job of `run --site` does: run trials until none is left");

}  // namespace
}  // namespace rethink
