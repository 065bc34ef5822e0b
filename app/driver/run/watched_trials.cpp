#include "app/driver/run/watched_trials.h"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <utility>

#include "app/driver/show/trials/trial_reason.h"
#include "core/error.h"
#include "core/json.h"
#include "core/message.h"
#include "core/store_files/trial_folder.h"
#include "experiments/attempt/checkpoint_folder.h"
#include "experiments/plan/needed_files.h"
#include "experiments/run/sweep_batch.h"
#include "results/database/sql_expressions.h"
#include "results/folders/foreign_parts.h"
#include "results/query/run_query.h"

namespace rethink {
namespace {

// Between progress lines, as in a driver's own output.
constexpr double kBetweenWatchedLines_s = 60;

}  // namespace

void WatchedDisplay::line(const std::string& text) {
  if (mode_ == ProgressDisplay::Mode::none) return;
  picture_.erase();
  std::cerr << text << "\n";
}

void WatchedDisplay::progress(const LiveState& state) {
  if (mode_ == ProgressDisplay::Mode::live) {
    const TerminalSize size = size_of_terminal(stderr);
    picture_.show(draw(state, size.columns, size.rows));
  } else if (mode_ == ProgressDisplay::Mode::lines &&
             monotonic_seconds() - line_s_ >= kBetweenWatchedLines_s) {
    line_s_ = monotonic_seconds();
    line("so far    " + minute_line(state));
  }
}

WatchedTrials::WatchedTrials(const CommandContext& context, const std::vector<Plan>& plans,
                             const std::optional<std::set<std::string>>& asked,
                             WatchedDisplay& display, TrialCounts ended_before)
    : context_(context),
      plans_(plans),
      display_(display),
      ended_before_(std::move(ended_before)),
      score_of_(score_by_schema(context.schema())) {
  const std::set<std::string> chosen = requested_with_needs(plans, asked);
  for (const Plan& plan : plans) {
    for (const PlannedTrial& planned : plan.trials) {
      if (!chosen.contains(planned.trial.id)) continue;
      if (planned_.emplace(planned.trial.id, &planned).second) ids_.push_back(planned.trial.id);
    }
  }
}

void WatchedTrials::look() {
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
      // In the form of the driver's own lines.
      const std::string word =
          state->second == TrialState::running ? "started" : to_text(state->second);
      display_.line(fmt::format("{:<9} {}  {}{}", word, id, title_of(*planned_.at(id)),
                                is_final(state->second) ? end_text(id, state->second) : ""));
    }
  }
  states_ = now;
  is_first_look_ = false;
  display_.progress(live_state());
}

bool WatchedTrials::have_ended() const {
  const size_t open =
      count(TrialState::waiting) + count(TrialState::ready) + count(TrialState::running);
  return open == held().size() && states_.size() == ids_.size() && !will_repeat();
}

std::map<std::string, bool> WatchedTrials::held() const {
  std::map<std::string, bool> found;
  for (const std::string& id : ids_) {  // needs come first
    const auto state = states_.find(id);
    if (state == states_.end()) continue;
    const Trial& trial = planned_.at(id)->trial;
    const TrialFolder folder(context_.store, id);
    const bool stopped = state->second == TrialState::ready &&
                         step_at_stop(trial.config, folder.checkpoints()).has_value();
    const bool waits = state->second == TrialState::waiting &&
                       std::ranges::any_of(trial.needs, [&](const auto& slot) {
                         return std::ranges::any_of(
                             slot.second, [&](const auto& need) { return found.contains(need); });
                       });
    if (stopped || waits) found.emplace(id, stopped);
  }
  return found;
}

std::string WatchedTrials::counts_text() const {
  size_t done = count(TrialState::done), all = ids_.size();
  for (const auto& [state, trials] : ended_before_) {
    all += trials;
    if (state == TrialState::done) done += trials;
  }
  return fmt::format("{} of {} done", done, counted(all, "trial"));
}

RunReport WatchedTrials::report() {
  RunReport report;
  report.trials = ids_.size();
  for (const auto& [id, stopped] : held()) report.held += stopped ? 1 : 0;
  for (const std::string& id : ids_) {
    const auto found = states_.find(id);
    const TrialState state = found == states_.end() ? TrialState::waiting : found->second;
    report.states[state]++;
    if (!is_final(state) || state == TrialState::done) continue;
    report.bad.push_back({.trial = id,
                          .title = title_of(*planned_.at(id)),
                          .message = store_->trial(id) ? trial_reason(*store_, id) : "",
                          .state = state,
                          .log = log_of_last_attempt(TrialFolder(context_.store, id))});
  }
  return report;
}

/// "  48 s  test/perplexity@best 143.1", "  3 s: the loss is not finite": as in the driver's line on
/// a trial that ended.
std::string WatchedTrials::end_text(const std::string& id, TrialState state) {
  const std::string trial = sql_text(id);
  const QueryResult seconds = run_query(
      *store_, fmt::format("SELECT seconds FROM attempt WHERE trial = {} AND seconds IS NOT NULL "
                           "ORDER BY number DESC LIMIT 1",
                           trial));
  const std::string time = seconds.rows.empty() ? "" : "  " + duration_text(seconds.rows[0][0]);
  if (state != TrialState::done) {
    const std::string reason = trial_reason(*store_, id);
    return time + (reason.empty() || reason == to_text(state) ? "" : ": " + reason);
  }
  const QueryResult finals = run_query(
      *store_, fmt::format("SELECT split || '/' || name, value FROM final WHERE trial = {} AND "
                           "value IS NOT NULL",
                           trial));
  std::map<std::string, double> metrics;
  for (const std::vector<Json>& row : finals.rows) {
    if (row[1].is_number()) metrics.emplace(row[0], row[1]);
  }
  return time + score_text(score_of_(planned_.at(id)->trial), metrics);
}

LiveState WatchedTrials::live_state() const {
  TrialCounts counts = ended_before_;
  for (const auto& [id, one] : states_) ++counts[one];
  counts[TrialState::waiting] += static_cast<int64_t>(ids_.size() - states_.size());
  LiveState state;
  add_counts(counts, state);
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

/// Whether the driver will repeat a done trial for weights that it did not keep.
bool WatchedTrials::will_repeat() const {
  const auto is_done = [&](const std::string& id) {
    const auto state = states_.find(id);
    return state != states_.end() && state->second == TrialState::done &&
           foreign_part(trial_folder(context_.store, id)).empty();
  };
  const auto will_run = [](const std::string&) { return false; };
  return !files_to_make_again(plans_, context_.schema(), context_.store, is_done, will_run).empty();
}

size_t WatchedTrials::count(TrialState state) const {
  size_t number = 0;
  for (const auto& [id, one] : states_) number += one == state ? 1 : 0;
  return number;
}

}  // namespace rethink
