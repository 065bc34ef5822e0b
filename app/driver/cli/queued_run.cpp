#include "app/driver/cli/queued_run.h"

#include <fmt/format.h>
#include <time.h>

#include <iostream>
#include <map>
#include <memory>

#include "core/format/trial_folder.h"
#include "core/json.h"
#include "core/message.h"
#include "core/trial_state.h"
#include "experiments/plan/needed_files.h"
#include "results/folders/foreign_parts.h"
#include "results/folders/store_lock.h"
#include "results/store/store.h"

namespace rethink {
namespace {

constexpr timespec kBetweenLooks{0, 250'000'000};  // as often as a driver looks for requests

/// "process 4711 on host"
std::string process_text(const Json& owner) {
  return fmt::format("process {} on {}", owner.value("pid", 0), owner.value("host", "?"));
}

/// The trials of some plans, as the store's index has them.
class QueuedTrials {
 public:
  QueuedTrials(const CommandContext& context, const std::vector<Plan>& plans)
      : context_(context), plans_(plans) {
    for (const Plan& plan : plans) {
      for (const PlannedTrial& planned : plan.trials) {
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
      if (changed && is_news && !is_first_look_ && !context_.quiet) {
        std::cerr << fmt::format("{:<9} {}  {}\n", to_text(state->second), id,
                                 title_of(*planned_.at(id)));
      }
    }
    states_ = now;
    is_first_look_ = false;
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
  std::map<std::string, const PlannedTrial*> planned_;
  std::vector<std::string> ids_;  // in the plans' order
  std::unique_ptr<Store> store_;
  std::map<std::string, TrialState> states_;
  bool is_first_look_ = true;
};

void say_of_queue(const CommandContext& context, const std::string& text) {
  if (!context.quiet) std::cerr << text << "\n";
}

}  // namespace

std::optional<QueuedEnd> run_in_queue(const CommandContext& context, QueuedSweeps sweeps,
                                      const std::vector<Plan>& plans,
                                      const std::atomic<int>& signals) {
  const Json owner = store_owner(context.store).value_or(Json::object());
  const std::optional<RequestAnswer> answer = hand_to_driver(std::move(sweeps), context.store);
  if (!answer) return std::nullopt;
  const std::string driver = "the driver, " + process_text(owner);
  say_of_queue(context, fmt::format("queued with {}: {}", driver, answer->text));
  QueuedTrials trials(context, plans);
  for (;;) {
    trials.look();
    if (trials.have_ended()) return QueuedEnd{.report = trials.report()};
    if (signals.load() > 0) {
      say_of_queue(context,
                   fmt::format("{}; they stay in the queue of {}", trials.counts_text(), driver));
      return QueuedEnd{.report = trials.report(), .left = true};
    }
    // After the states were read: what it did last is in them.
    const std::optional<Json> now = store_owner(context.store);
    const bool is_same = now && (now->empty() || now->value("pid", 0) == owner.value("pid", 0));
    if (!is_same) {
      trials.look();
      if (trials.have_ended()) return QueuedEnd{.report = trials.report()};
      say_of_queue(context, fmt::format("{} ended with {}; this command goes on by itself", driver,
                                        trials.counts_text()));
      return std::nullopt;
    }
    nanosleep(&kBetweenLooks, nullptr);
  }
}

}  // namespace rethink
