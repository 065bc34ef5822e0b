#include "app/driver/cli/queued_run.h"

#include <fmt/format.h>
#include <time.h>

#include <algorithm>
#include <atomic>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "app/driver/cli/note_report.h"
#include "app/driver/cli/progress.h"
#include "app/driver/cli/terminal.h"
#include "core/clock.h"
#include "core/config/schema.h"
#include "core/error.h"
#include "core/format/trial_folder.h"
#include "core/json.h"
#include "core/message.h"
#include "core/trial_state.h"
#include "experiments/plan/expand/recorded_metrics.h"
#include "experiments/plan/needed_files.h"
#include "experiments/run/sweep_batch.h"
#include "experiments/run/sweep_queue.h"
#include "results/database/sql_expressions.h"
#include "results/folders/foreign_parts.h"
#include "results/folders/store_lock.h"
#include "results/query/run_query.h"
#include "results/store/store.h"

namespace rethink {
namespace {

constexpr timespec kBetweenLooks{0, 250'000'000};  // as often as a driver looks for requests
constexpr double kBetweenQueuedLines_s = 60;       // of progress, as of a driver's own

/// "process 4711 on host"
std::string process_text(const Json& owner) {
  return fmt::format("process {} on {}", owner.value("pid", 0), owner.value("host", "?"));
}

/// Lines on standard error, and below them the progress: redrawn in place on a terminal, elsewhere a line each minute.
class QueuedDisplay {
 public:
  explicit QueuedDisplay(bool quiet) : mode_(ProgressDisplay::mode_for(stderr, quiet)) {}

  void line(const std::string& text) {
    if (mode_ == ProgressDisplay::Mode::none) return;
    picture_.erase();
    std::cerr << text << "\n";
  }

  void progress(const LiveState& state) {
    if (mode_ == ProgressDisplay::Mode::live) {
      const TerminalSize size = size_of_terminal(stderr);
      picture_.show(draw(state, size.columns, size.rows));
    } else if (mode_ == ProgressDisplay::Mode::lines &&
               monotonic_seconds() - line_s_ >= kBetweenQueuedLines_s) {
      line_s_ = monotonic_seconds();
      line("so far    " + minute_line(state));
    }
  }

  void end() { picture_.erase(); }

 private:
  const ProgressDisplay::Mode mode_;
  Picture picture_{stderr};
  double line_s_ = monotonic_seconds();
};

/// The trials that a command asked for, with those that they need, as the store's index has them.
class QueuedTrials {
 public:
  QueuedTrials(const CommandContext& context, const std::vector<Plan>& plans,
               const std::optional<std::set<std::string>>& asked, QueuedDisplay& display)
      : context_(context), plans_(plans), display_(display), scores_(context.schema()) {
    const std::set<std::string> chosen = asked_with_needs(plans, asked);
    for (const Plan& plan : plans) {
      for (const PlannedTrial& planned : plan.trials) {
        if (!chosen.contains(planned.trial.id)) continue;
        if (planned_.emplace(planned.trial.id, &planned).second) ids_.push_back(planned.trial.id);
      }
    }
  }

  /// Reads the states anew, and says on standard error which trials began or ended since the last look.
  void look() {
    if (!store_) store_ = std::make_unique<Store>(context_.store, Store::Access::read);
    const std::map<std::string, TrialState> now = store_->states(ids_);
    for (const std::string& id : ids_) {
      const auto state = now.find(id);
      if (state == now.end()) continue;
      const auto before = states_.find(id);
      const bool changed = before == states_.end() || before->second != state->second;
      const bool is_news = state->second == TrialState::running || is_final(state->second);
      if (changed && state->second == TrialState::running) since_s_[id] = monotonic_seconds();
      if (changed && is_news && !is_first_look_) {
        display_.line(fmt::format("{:<9} {}  {}{}", to_text(state->second), id,
                                  title_of(*planned_.at(id)),
                                  state->second == TrialState::done ? result_text(id) : ""));
      }
    }
    states_ = now;
    is_first_look_ = false;
    display_.progress(live_state());
  }

  bool have_ended() const {
    return count(TrialState::waiting) + count(TrialState::ready) + count(TrialState::running) ==
               0 &&
           states_.size() == ids_.size() && !will_repeat();
  }

  std::string counts_text() const {
    return fmt::format("{} of {} done", count(TrialState::done), counted(ids_.size(), "trial"));
  }

  RunReport report() {
    RunReport report;
    report.trials = ids_.size();
    for (const std::string& id : ids_) {
      const auto found = states_.find(id);
      const TrialState state = found == states_.end() ? TrialState::waiting : found->second;
      report.states[state]++;
      if (!is_final(state) || state == TrialState::done) continue;
      const std::optional<TrialRow> row = store_->trial(id);
      report.bad.push_back({.trial = id,
                            .title = title_of(*planned_.at(id)),
                            .message = row ? row->message : "",
                            .state = state,
                            .log = {}});
    }
    return report;
  }

 private:
  /// "  48 s  test/perplexity@best 143.1": what the driver's own line says of a trial that is done.
  std::string result_text(const std::string& id) {
    const std::string trial = sql_text(id);
    const QueryResult seconds = run_query(
        *store_, fmt::format("SELECT seconds FROM attempt WHERE trial = {} AND seconds IS NOT NULL "
                             "ORDER BY number DESC LIMIT 1",
                             trial));
    const QueryResult finals = run_query(
        *store_, fmt::format("SELECT split || '/' || name, value FROM final WHERE trial = {} AND "
                             "value IS NOT NULL",
                             trial));
    std::map<std::string, double> metrics;
    for (const std::vector<Json>& row : finals.rows) {
      if (row[1].is_number()) metrics.emplace(row[0], row[1]);
    }
    const Trial& planned = planned_.at(id)->trial;
    const std::optional<ReportedScore>& score = scores_.of(planned.job, planned.config);
    return (seconds.rows.empty() ? "" : "  " + duration_text(seconds.rows[0][0])) +
           score_text(score ? score->metric : "", metrics);
  }

  LiveState live_state() const {
    LiveState state;
    state.done = count(TrialState::done);
    state.running = count(TrialState::running);
    state.failed = count(TrialState::failed);
    state.diverged = count(TrialState::diverged);
    state.dropped = count(TrialState::cancelled) + count(TrialState::blocked);
    state.waiting =
        count(TrialState::waiting) + count(TrialState::ready) + (ids_.size() - states_.size());
    state.seconds = monotonic_seconds() - begun_s_;
    for (const auto& [id, since_s] : since_s_) {
      const auto now = states_.find(id);
      if (now == states_.end() || now->second != TrialState::running) continue;
      const std::optional<TrialProgress> known = store_->progress(id);
      Progress progress;
      if (known) {
        progress = {.has_ticked = true,
                    .step = known->step,
                    .of = known->of,
                    .loss = known->loss,
                    .steps_per_s = known->steps_per_s};
      }
      state.trials.push_back({.title = title_of(*planned_.at(id)),
                              .progress = progress,
                              .seconds = monotonic_seconds() - since_s});
    }
    return state;
  }

  /// Whether the driver has yet to run a done trial again, for weights that it did not keep.
  bool will_repeat() const {
    const auto is_done = [&](const std::string& id) {
      const auto state = states_.find(id);
      return state != states_.end() && state->second == TrialState::done &&
             foreign_part(trial_folder(context_.store, id)).empty();
    };
    const auto will_run = [](const std::string&) { return false; };
    return !files_to_make_again(plans_, context_.schema(), context_.store, is_done, will_run)
                .empty();
  }

  size_t count(TrialState state) const {
    size_t number = 0;
    for (const auto& [id, one] : states_) number += one == state ? 1 : 0;
    return number;
  }

  const CommandContext& context_;
  const std::vector<Plan>& plans_;
  QueuedDisplay& display_;
  ReportedScores scores_;
  const double begun_s_ = monotonic_seconds();
  std::map<std::string, double> since_s_;  // when a trial was first seen running
  std::map<std::string, const PlannedTrial*> planned_;
  std::vector<std::string> ids_;  // in the plans' order
  std::unique_ptr<Store> store_;
  std::map<std::string, TrialState> states_;
  bool is_first_look_ = true;
};

/// An option that counts trials of one command, which has no place in a queue; empty: there is none.
std::string option_for_a_part(const po::variables_map& given) {
  for (const std::string name : {"max-trials", "fail-fast"})
    if (given.count(name)) return "--" + name;
  return "";
}

/// The driver that works on the store; none where no command does, or one that runs no trials.
std::optional<Json> running_driver(const std::filesystem::path& store) {
  std::optional<Json> owner = store_owner(store);
  return owner && owner->value("command", "") == "run" ? std::move(owner) : std::nullopt;
}

/// Throws MachineError when a driver works on the store and `given` has an option that no queue takes.
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

/// Whether a driver works on the store that takes what this command runs.
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
  // Also of a single sweep: a table may have others, with nothing to run.
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

/// Returns when all trials have ended or a signal came. Nothing when no driver is there, or when the driver went away
/// before the trials ended, which standard error says: then they are this command's to run.
std::optional<RunEnd> run_in_queue(const CommandContext& context, QueuedSweeps sweeps,
                                   const std::vector<Plan>& plans,
                                   const std::atomic<int>& signals) {
  const std::optional<std::set<std::string>> asked = sweeps.only_trials;
  const Json owner = store_owner(context.store).value_or(Json::object());
  const std::optional<RequestAnswer> answer = hand_to_driver(std::move(sweeps), context.store);
  if (!answer) return std::nullopt;
  const std::string driver = "the driver, " + process_text(owner);
  QueuedDisplay display(context.quiet);
  display.line(fmt::format("queued with {}: {}", driver, answer->text));
  QueuedTrials trials(context, plans, asked, display);
  for (;;) {
    trials.look();
    if (trials.have_ended()) return display.end(), RunEnd{.report = trials.report()};
    if (signals.load() > 0) {
      display.line(fmt::format("{}; they stay in the queue of {}", trials.counts_text(), driver));
      return RunEnd{.report = trials.report(), .stays_queued = true};
    }
    // After the states were read: what it did last is in them.
    const std::optional<Json> now = store_owner(context.store);
    const bool is_same = now && (now->empty() || now->value("pid", 0) == owner.value("pid", 0));
    if (!is_same) {
      trials.look();
      if (trials.have_ended()) return display.end(), RunEnd{.report = trials.report()};
      display.line(fmt::format("{} ended with {}; this command goes on by itself", driver,
                               trials.counts_text()));
      return std::nullopt;
    }
    nanosleep(&kBetweenLooks, nullptr);
  }
}

}  // namespace

RunEnd run_or_queue(const CommandContext& context, const po::variables_map& given,
                    std::vector<Plan>& plans, const PlanChoices& plan_choices,
                    const RunChoices& choices) {
  const std::atomic<int>& signals = listen_to_signals();
  // A driver may end early, and another command that waited may be the next one.
  while (may_queue(context, given)) {
    if (given.count("slots") && !context.quiet) {
      print_note(Note("unused-slots",
                      "has no effect in the queue of a driver, whose own slots run "
                      "the trials",
                      Position{"--slots"}));
    }
    std::optional<RunEnd> end = run_in_queue(
        context, queued_sweeps(context, given, plans, plan_choices, choices), plans, signals);
    if (end) return std::move(*end);
  }
  require_no_driver(context, given);
  ProgressDisplay display(ProgressDisplay::mode_for(stderr, context.quiet), stderr);
  return {.report = run_sweeps(plans, context.schema(), choices, display, signals)};
}

void print_queue_advice(const CommandContext& context, const std::string& words) {
  std::cerr << fmt::format(
      "to take them out, with all other trials of these sweeps: {}; to watch them: {}\n",
      store_command("cancel" + words, context.store),
      store_command("status --watch", context.store));
}

}  // namespace rethink
