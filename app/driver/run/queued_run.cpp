#include "app/driver/run/queued_run.h"

#include <fmt/format.h>
#include <time.h>

#include <algorithm>
#include <atomic>
#include <iostream>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "app/driver/cli/note_report.h"
#include "app/driver/cli/terminal.h"
#include "app/driver/run/watched_trials.h"
#include "core/config/schema.h"
#include "core/error.h"
#include "core/json.h"
#include "core/message.h"
#include "experiments/plan/read/library.h"
#include "experiments/run/sweep_batch.h"
#include "experiments/run/sweep_queue.h"
#include "results/folders/store_lock.h"
#include "results/store/store.h"

namespace rethink {
namespace {

constexpr timespec kBetweenLooks{0, 250'000'000};  // as often as a driver checks for requests

/// "process 4711 on host"
std::string process_text(const Json& owner) {
  return fmt::format("process {} on {}", owner.value("pid", 0), owner.value("host", "?"));
}

/// An option that limits one command's trials, which a queue cannot do; empty if there is none.
std::string option_for_a_part(const po::variables_map& given) {
  for (const std::string name : {"max-trials", "fail-fast"})
    if (given.count(name)) return "--" + name;
  return "";
}

/// The driver that runs trials of the store; nothing if no command or another command uses the
/// store.
std::optional<Json> running_driver(const std::filesystem::path& store) {
  std::optional<Json> owner = named_store_owner(store);
  return owner && owner->value("command", "") == "run" ? std::move(owner) : std::nullopt;
}

/// Throws MachineError if a driver runs on the store and `given` has an option that no queue
/// accepts.
void require_no_driver(const CommandContext& context, const po::variables_map& given) {
  const std::string option = option_for_a_part(given);
  if (option.empty()) return;
  const std::optional<Json> driver = running_driver(context.store);
  if (!driver) return;
  throw MachineError("store-in-use", fmt::format("{}: the store is in use by {}, whose queue does "
                                                 "not take {}: leave out this option to put "
                                                 "the trials into that queue; or wait for the "
                                                 "driver, or stop it (Ctrl-C there), and give the "
                                                 "same command again",
                                                 context.store.string(),
                                                 store_owner_text(*driver, context.store), option));
}

/// Whether a driver on the store accepts the trials of this command.
bool may_queue(const CommandContext& context, const po::variables_map& given) {
  return option_for_a_part(given).empty() && std::filesystem::is_directory(context.store) &&
         running_driver(context.store);
}

QueuedSweeps queued_sweeps(const CommandContext& context, const po::variables_map& given,
                           const std::vector<Plan>& plans, const PlanChoices& plan_choices,
                           const RunChoices& choices) {
  QueuedSweeps sweeps;
  for (const Plan& plan : plans) sweeps.files.push_back(plan.file);
  sweeps.choices = plan_choices;
  // A setting may also be for another sweep if a table has several sweeps but only this sweep has trials to run.
  sweeps.choices.of_several = plans.size() > 1 || std::ranges::any_of(plans, [](const Plan& plan) {
                                return !plan.of_others.empty();
                              });
  sweeps.only_trials = choices.trials;
  sweeps.device = choices.device;
  sweeps.with = choices.with;
  sweeps.order = queue_order(given["priority"].as<std::string>());
  sweeps.build = context.schema().build_id;
  sweeps.trials = digest_of(plans);
  return sweeps;
}

/// "rethink cancel mine.yaml --profile small --seeds 1 --one-run": nothing else of the sweeps.
std::string cancelling_command(const CommandContext& context, const std::vector<Plan>& plans) {
  const Library sweeps_by_name("sweeps", context.paths);
  std::vector<std::pair<std::string, std::string>> groups;  // options, sweeps
  for (const Plan& plan : plans) {
    std::string options = plan.profile.empty() ? "" : " --profile " + for_a_shell(plan.profile);
    for (const auto& [option, value] : options_of_choice(plan.choice))
      options += " " + option + " " + for_a_shell(value);
    auto group = std::ranges::find(groups, options, &decltype(groups)::value_type::first);
    if (group == groups.end()) group = groups.insert(groups.end(), {options, ""});
    group->second +=
        " " + for_a_shell(sweeps_by_name.name_of(plan.file).value_or(plan.file.string()));
  }
  std::vector<std::string> commands;
  for (const auto& [options, sweeps] : groups)
    commands.push_back(store_command("cancel" + sweeps + options + " --one-run", context.store));
  return joined(commands, " && ");
}

/// Trials of the plans that have not ended.
struct UnfinishedTrials {
  std::vector<std::string> needed;  // by the command, in the order of the plans
  bool has_others = false;
};

UnfinishedTrials unfinished_trials(const CommandContext& context, const std::vector<Plan>& plans,
                                   const std::optional<std::set<std::string>>& asked) {
  const std::set<std::string> needed = requested_with_needs(plans, asked);
  std::vector<std::string> ids;
  for (const Plan& plan : plans) {
    for (const PlannedTrial& planned : plan.trials) ids.push_back(planned.trial.id);
  }
  const auto states = Store(context.store, Store::Access::read).states(ids);
  UnfinishedTrials left;
  std::set<std::string> seen;
  for (const std::string& id : ids) {
    const auto state = states.find(id);
    const bool has_ended = state != states.end() && is_final(state->second);
    if (has_ended || !seen.insert(id).second) continue;
    if (needed.contains(id)) {
      left.needed.push_back(id);
    } else {
      left.has_others = true;
    }
  }
  return left;
}

/// Returns when all trials have ended or a signal came. Nothing without a driver, or if the driver
/// ended before the trials, which standard error reports: then this command must run them.
std::optional<RunEnd> run_in_queue(const CommandContext& context, QueuedSweeps sweeps,
                                   const std::vector<Plan>& plans, const TrialCounts& ended_before,
                                   const std::atomic<int>& signals) {
  const std::optional<std::set<std::string>> asked = sweeps.only_trials;
  const Json owner = named_store_owner(context.store).value_or(Json::object());
  const std::optional<RequestAnswer> answer = hand_to_driver(std::move(sweeps), context.store);
  if (!answer) return std::nullopt;
  const std::string driver = "the driver, " + process_text(owner);
  WatchedDisplay display(context.quiet);
  display.line(fmt::format("queued with {}: {}", driver, answer->text));
  WatchedTrials trials(context, plans, asked, display, ended_before);
  for (;;) {
    trials.look();
    if (trials.have_ended()) return display.end(), RunEnd{.report = trials.report()};
    if (signals.load() > 0) {
      display.end();  // also with --quiet: the advice that follows is about these trials
      std::cerr << fmt::format("{}; they stay in the queue of {}\n", trials.counts_text(), driver);
      return RunEnd{.report = trials.report(), .stays_queued = true, .shared = answer->shared};
    }
    // Checked after the states were read, so that they include the driver's last changes.
    const std::optional<Json> now = store_owner(context.store);
    const bool is_same = now && (now->empty() || now->value("pid", 0) == owner.value("pid", 0));
    if (!is_same) {
      trials.look();
      if (trials.have_ended()) return display.end(), RunEnd{.report = trials.report()};
      display.line(fmt::format("{}, ended with {}; this command continues by itself", driver,
                               trials.counts_text()));
      return std::nullopt;
    }
    nanosleep(&kBetweenLooks, nullptr);
  }
}

}  // namespace

RunEnd run_or_queue(const CommandContext& context, const po::variables_map& given,
                    std::vector<Plan>& plans, const PlanChoices& plan_choices,
                    const RunChoices& choices, const TrialCounts& ended_before) {
  const SignalCounter counter;
  const std::atomic<int>& signals = counter.seen();
  for (;;) {
    // A driver may end early, and another waiting command may become the next driver.
    if (may_queue(context, given)) {
      if (given.count("slots") && !context.quiet) {
        print_note(Note("unused-slots",
                        "has no effect in the queue of a driver, whose own slots run "
                        "the trials",
                        Position{"--slots"}));
      }
      std::optional<RunEnd> end =
          run_in_queue(context, queued_sweeps(context, given, plans, plan_choices, choices), plans,
                       ended_before, signals);
      if (end) return std::move(*end);
      continue;
    }
    require_no_driver(context, given);
    try {
      ProgressDisplay display(ProgressDisplay::mode_for(stderr, context.quiet), stderr,
                              monotonic_seconds, ended_before, score_by_schema(context.schema()));
      return {.report = run_sweeps(plans, context.schema(), choices, display, signals)};
    } catch (const MachineError& error) {
      // Of two commands that start together, both see no driver, and one becomes it.
      if (error.code() != "store-in-use" || !may_queue(context, given)) throw;
    }
  }
}

void print_queue_advice(const CommandContext& context, const std::vector<Plan>& plans,
                        const std::optional<std::set<std::string>>& asked, bool shared) {
  constexpr size_t kMostNamed = 8;
  const UnfinishedTrials left = unfinished_trials(context, plans, asked);
  std::string which = shared ? ", also for the other command that asked for them" : "",
              command = cancelling_command(context, plans);
  if (left.has_others && left.needed.size() <= kMostNamed) {
    which = " of every sweep that has them";
    command = store_command("cancel " + joined(left.needed, " "), context.store);
  } else if (left.has_others) {
    which = plans.size() == 1 ? ", with the sweep's other unfinished trials"
                              : ", with the sweeps' other unfinished trials";
  }
  const std::string watch = store_command("status --watch", context.store);
  if (left.needed.empty()) {
    std::cerr << fmt::format("to watch them: {}\n", watch);
    return;
  }
  std::cerr << fmt::format("to take them out{}: {}; to watch them: {}\n", which, command, watch);
}

}  // namespace rethink
