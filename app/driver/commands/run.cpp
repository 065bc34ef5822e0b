// `rethink run`: runs what the plans of sweeps say is missing; the same command goes on after any
// crash.
#include <fmt/format.h>

#include <iostream>

#include "app/driver/command.h"
#include "app/driver/plan_choices.h"
#include "app/driver/progress.h"
#include "app/driver/signals.h"
#include "core/error.h"
#include "experiments/schedule/sweep_run.h"

namespace rethink {
namespace {

constexpr size_t kMostShown = 20;

RunChoices run_choices(const CommandContext& context, const po::variables_map& given) {
  RunChoices choices;
  choices.store = context.store;
  choices.data = context.data;
  choices.programs = context.programs;
  choices.slots = given["slots"].as<int>();
  choices.device = device_choice(given);
  choices.fail_fast = given.count("fail-fast") > 0;
  choices.max_trials = most_trials(given);
  if (choices.slots < 0)
    throw ConfigError(fmt::format("--slots: got {}, expected 1 or more", choices.slots));
  const std::string executor = given["executor"].as<std::string>();
  if (executor == "slurm") {
    throw ConfigError(
        "--executor slurm is not part of this version; expected local: run this command on the "
        "machine that shall do the work");
  }
  if (executor != "local")
    throw ConfigError(fmt::format("--executor: got '{}', expected local", executor));
  return choices;
}

/// The sweeps and the options named `repeated`, to be given again.
std::string as_given(const po::variables_map& given, const std::vector<std::string>& repeated) {
  std::string words;
  for (const std::string& sweep : arguments_of(given)) words += " " + for_a_shell(sweep);
  return words + options_as_given(given, repeated);
}

void print_bad_ends(const RunReport& report) {
  size_t shown = 0;
  for (const BadEnd& bad : report.bad) {
    if (bad.state == State::blocked || bad.state == State::cancelled) continue;
    if (shown++ == kMostShown) {
      std::cerr << "... and more; `rethink status` lists them\n";
      return;
    }
    const bool says_more = bad.message != to_text(bad.state);
    std::cerr << fmt::format("{}: {}  {}{}\n", to_text(bad.state), bad.trial, bad.title,
                             says_more ? ": " + bad.message : "");
    if (!bad.log.empty()) std::cerr << fmt::format("  log: {}\n", bad.log.string());
  }
}

std::string store_option(const CommandContext& context) {
  return context.store == "store" ? "" : fmt::format(" --store {}", context.store.string());
}

void print_summary(const RunReport& report, const CommandContext& context,
                   const po::variables_map& given) {
  print_bad_ends(report);
  const std::string same =
      as_given(given, {"profile", "set", "only", "seeds", "path", "data", "store"});
  if (!context.quiet) {
    std::string counts =
        fmt::format("{} of {} trials done", report.count(State::done), report.trials);
    for (const State state : kStates) {
      if (state != State::done && report.count(state)) {
        counts += fmt::format(", {} {}", report.count(state), to_text(state));
      }
    }
    std::cerr << counts << "\n";
  }
  if (!report.disk_problem.empty()) {
    std::cerr << fmt::format(
        "{}\nnothing more was started; make room (`rethink gc{}` helps), then give the same "
        "command again\n",
        report.disk_problem, store_option(context));
  } else if (report.interrupted) {
    std::cerr << fmt::format("interrupted; resume with: rethink run{}\n", same);
  }
  const size_t again =
      report.count(State::failed) + report.count(State::diverged) + report.count(State::cancelled);
  if (again > 0) {
    std::cerr << fmt::format(
        "to run what failed or was cancelled again: rethink retry{} && rethink run{}\n",
        as_given(given, {"profile", "store"}), same);
  } else if (report.count(State::done) == report.trials && !context.quiet) {
    std::cerr << fmt::format(
        "next: rethink table --all{}\n",
        options_as_given(given, {"profile", "set", "seeds", "path", "data", "store"}));
  }
}

class Run : public Command {
 public:
  std::string positional() const override { return "SWEEP..."; }

  bool needs_folders() const override { return true; }
  void declare(po::options_description& options) const override {
    declare_run_choices(options);
    options.add_options()("slots", po::value<int>()->default_value(0),
                          "trials at once (default: as many as there are cores for their threads)")(
        "executor", po::value<std::string>()->default_value("local"), "local")(
        "fail-fast", "start nothing more after the first failure");
  }

  int run(const CommandContext& context, const po::variables_map& given) override {
    const RunChoices choices = run_choices(context, given);
    const std::vector<Plan> plans = make_plans(context, given);
    print_notes(plans);
    for (const std::string& note : shared_names(plans, context.store)) std::cerr << note << "\n";
    ProgressDisplay display(ProgressDisplay::mode_for(stderr, context.quiet), stderr);
    const RunReport report =
        run_sweeps(plans, context.schema(), choices, display, listen_to_signals());
    print_summary(report, context, given);
    if (!report.disk_problem.empty()) return kMachineError;
    if (report.interrupted) return kInterrupted;
    return report.bad.empty() ? kDone : kSomeFailed;
  }
};

const bool registered =
    add_command<Run>("run", "run the trials of sweeps that are missing; resumes by itself");

}  // namespace
}  // namespace rethink
