// `rethink run`: runs the missing trials of sweeps; the same command resumes after any crash.
#include <fmt/format.h>

#include <algorithm>
#include <iostream>

#include "app/driver/cli/note_report.h"
#include "app/driver/cli/piped_sweep.h"
#include "app/driver/cli/plan_choices.h"
#include "app/driver/cli/terminal.h"
#include "app/driver/command.h"
#include "app/driver/run/queued_run.h"
#include "app/driver/run/run_at_site.h"
#include "app/driver/show/plan_notes/code_notes.h"
#include "app/driver/show/plan_notes/test_curve_notes.h"
#include "app/driver/show/trials/groups_by_cause.h"
#include "core/error.h"
#include "core/files/temporary_folder.h"
#include "core/message.h"
#include "core/system/machine_fault.h"
#include "experiments/plan/shared_names.h"
#include "experiments/run/sweep_run.h"
#include "plots/spec_sweeps.h"
#include "plots/stage_layout.h"
#include "results/database/database_place.h"
#include "results/folders/linked_folders.h"
#include "results/folders/store_lock.h"
#include "results/store/store.h"

namespace rethink {
namespace {

constexpr size_t kMostCausesShown = 20;

/// ": fail_at: step 2 fails"; empty if the state is the whole reason.
std::string cause_text(const BadEnd& bad) {
  return bad.message.empty() || bad.message == to_text(bad.state) ? "" : ": " + bad.message;
}

/// A cause that several trials share is printed once, with the log of the first trial.
void print_bad_ends(const RunReport& report, const std::filesystem::path& store) {
  std::vector<const BadEnd*> bad_ends;
  for (const BadEnd& bad : report.bad) {
    if (bad.state != TrialState::blocked && bad.state != TrialState::cancelled)
      bad_ends.push_back(&bad);
  }
  size_t shown = 0;
  for (const std::vector<const BadEnd*>& group : groups_by_cause(bad_ends)) {
    if (shown++ == kMostCausesShown) {
      std::cerr << fmt::format("... and more; `{}` lists them\n",
                               store_command("status --all", store));
      return;
    }
    const BadEnd& first = *group.front();
    if (group.size() == 1) {
      std::cerr << fmt::format("{}: {}  {}{}\n", to_text(first.state), first.trial, first.title,
                               cause_text(first));
    } else {
      std::cerr << fmt::format("{}, {} trials{}\n", to_text(first.state), group.size(),
                               cause_text(first));
      for (size_t i = 0; i < std::min(group.size(), kMostNamedOfACause); ++i)
        std::cerr << fmt::format("  {}  {}\n", group[i]->trial, group[i]->title);
      if (group.size() > kMostNamedOfACause)
        std::cerr << fmt::format("  ... and {} more; `{}` lists them\n",
                                 group.size() - kMostNamedOfACause,
                                 store_command("status --all", store));
    }
    if (!first.log.empty())
      std::cerr << fmt::format("  log{}: {}\n", group.size() > 1 ? " of the first" : "",
                               first.log.string());
  }
}

void print_counts(const RunReport& report) {
  std::string counts =
      fmt::format("{} of {} trials done", report.count(TrialState::done), report.trials);
  for (const TrialState state : kTrialStates) {
    if (state != TrialState::done && report.count(state)) {
      counts += fmt::format(", {} {}", report.count(state), to_text(state));
    }
  }
  std::cerr << counts << "\n";
}

/// The advice on trials that did not succeed.
void print_advice(const RunReport& report, const po::variables_map& given,
                  const std::filesystem::path& store) {
  const bool diverged = report.count(TrialState::diverged) > 0;
  if (diverged) {
    std::cerr << "a diverged trial would diverge again, to the same bits: change its settings, "
                 "first to a "
                 "smaller learning rate; a retry does not help\n";
  }
  if (report.count(TrialState::failed) + report.count(TrialState::cancelled) > 0)
    std::cerr << how_to_retry(given, diverged, store) << "\n";
}

/// The next commands: the tables of these sweeps, or the table and figures of a sweep without a
/// spec.
void print_tables(const std::vector<Plan>& plans, const CommandContext& context,
                  const po::variables_map& given) {
  std::vector<std::filesystem::path> sweeps;
  for (const Plan& plan : plans) sweeps.push_back(plan.file);
  const std::vector<std::string> tables = tables_of(sweeps, context.paths);
  const std::string choices = options_as_given(given, {"profile", "set", "seeds", "path", "data"});
  if (!tables.empty()) {
    std::cerr << fmt::format(
        "next: {}\n", store_command("table " + joined(tables, " ") + choices, context.store));
    return;
  }
  const std::vector<std::string> words = arguments_of(given);
  const bool has_score = std::ranges::all_of(plans, [&](const Plan& plan) {
    try {
      return !stage_to_show(plan, "", context.schema()).empty();
    } catch (const ConfigError&) {
      return false;
    }
  });
  if (words.size() != 1 || !has_score) return;
  const std::string sweep = for_a_shell(words.front()) + choices;
  std::cerr << fmt::format("next: {} or {}\n", store_command("table " + sweep, context.store),
                           store_command("figure " + sweep, context.store));
}

void print_summary(const RunReport& report, const std::vector<Plan>& plans,
                   const CommandContext& context, const po::variables_map& given) {
  print_bad_ends(report, context.store);
  if (!context.quiet) print_counts(report);
  if (!report.machine_problem.empty()) {
    std::cerr << fmt::format("{}\nnothing more was started; {}\n", report.machine_problem,
                             advice_on(report.fault, context.store));
  } else if (report.interrupted) {
    std::cerr << fmt::format("interrupted; resume with: {}\n", run_as_given(given, context.store));
  }
  print_advice(report, given, context.store);
  if (report.held > 0 && !report.interrupted)
    std::cerr << fmt::format(
        "{} stopped at `stop_at`: raise or remove this option, and the same command continues\n",
        counted(report.held, "trial"));
  if (report.count(TrialState::done) == report.trials && !context.quiet)
    print_tables(plans, context, given);
  const size_t left = report.count(TrialState::waiting) + report.count(TrialState::ready);
  const bool was_limited = given.count("max-trials") && report.machine_problem.empty();
  if (was_limited && left > 0 && !report.interrupted) {
    const size_t run = report.count(TrialState::done) + report.count(TrialState::diverged) +
                       report.count(TrialState::failed);
    std::cerr << fmt::format(
        "{} of {} trials run, {} left (--max-trials {}); the same command continues\n", run,
        report.trials, left, given["max-trials"].as<std::string>());
  }
}

/// Piped sweeps are kept in the store only after they were checked, since earlier kept sweeps may
/// be running.
po::variables_map kept(const CommandContext& context, const po::variables_map& typed) {
  const ScratchFolder scratch;
  const po::variables_map given = with_kept_sweeps(typed, scratch.path());
  plans_of_arguments(context, given);
  require_store_or_empty_folder(context.store);
  require_own_piped(context.store);
  return with_sweeps_moved(given, scratch.path(), context.store / "piped");
}

class Run : public Command {
 public:
  std::string positional() const override { return "SWEEP..."; }

  bool needs_folders() const override { return true; }
  void declare(po::options_description& options) const override {
    declare_run_choices(options);
    declare_site_choices(options);
  }

  int run(const CommandContext& context, const po::variables_map& typed) override {
    const po::variables_map given = has_piped_sweep(typed) ? kept(context, typed) : typed;
    const RunChoices choices = run_choices(context, given);
    const std::optional<Site> site = site_given(given);
    std::vector<Plan> plans = plans_of_arguments(context, given);
    const size_t left_out = leave_out_trials_without_files(plans);
    print_notes(plans, context, given, context.quiet ? 0 : choices.slots);
    print_notes(shared_names(plans, context.store, options_as_given(given, {"store"})));
    if (site) return at_site(context, given, plans, choices, *site, left_out);
    PlanChoices planned_with = plan_choices(context, given, Purpose::run);
    planned_with.may_lack_files = given.count("skip-missing-data") > 0;
    const auto [report, stays_queued, shared] =
        run_or_queue(context, given, plans, planned_with, choices);
    if (stays_queued) {
      print_queue_advice(context, plans, choices.trials, shared);
      return kInterrupted;
    }
    print_summary(report, plans, context, given);
    if (!report.machine_problem.empty()) return kMachineError;
    return code_of_end(report, plans, context, left_out);
  }

 private:
  static int at_site(const CommandContext& context, const po::variables_map& given,
                     std::vector<Plan>& plans, const RunChoices& choices, const Site& site,
                     size_t left_out) {
    const SiteEnd end =
        run_at_site(context, given, plans, choices, site, run_as_given(given, context.store));
    if (!end.has_ended) return end.interrupted ? kInterrupted : kPilotsWork;
    print_summary(end.report, plans, context, given);
    return code_of_end(end.report, plans, context, left_out);
  }

  static int code_of_end(const RunReport& report, const std::vector<Plan>& plans,
                         const CommandContext& context, size_t left_out) {
    if (is_store(context.store)) {
      Store store(context.store, Store::Access::read);
      report_changed_code(plans, store, context);
      report_missing_test_curves(plans, store, context);
    }
    if (report.interrupted) return kInterrupted;
    return report.bad.empty() && left_out == 0 ? kDone : kSomeFailed;
  }
};

RETHINK_REGISTERED =
    add_command<Run>("run", "run the missing trials of sweeps; resumes after an interruption");

}  // namespace
}  // namespace rethink
