#include "experiments/plan/planned_states.h"

#include <algorithm>
#include <set>

#include "results/database/schema.h"
#include "results/database/statement.h"

namespace rethink {
namespace {

/// Trials that every plan with them has cancelled, by the store's sweeps.
std::set<std::string> cancelled_by_all(const std::vector<Plan>& plans, Store& store) {
  std::set<std::string> cancelled, wanted;
  for (const Plan& plan : plans) {
    const std::vector<std::string> rows = texts_of(
        store.database(),
        "SELECT DISTINCT trial FROM sweep_trial WHERE cancelled = 1 AND sweep = ? AND profile = ?",
        plan.sweep, plan.profile);
    const std::set<std::string> of_sweep(rows.begin(), rows.end());
    for (const PlannedTrial& planned : plan.trials) {
      const std::string& id = planned.trial.id;
      (of_sweep.contains(id) ? cancelled : wanted).insert(id);
    }
  }
  std::erase_if(cancelled, [&](const std::string& id) { return wanted.contains(id); });
  return cancelled;
}

/// The ids of the plans' trials, and of trials outside of the plans that they need.
std::vector<std::string> ids_with_needs(const std::vector<Plan>& plans) {
  std::set<std::string> ids;
  for (const Plan& plan : plans) {
    for (const PlannedTrial& planned : plan.trials) {
      ids.insert(planned.trial.id);
      for (const auto& [slot, needs] : planned.trial.needs) ids.insert(needs.begin(), needs.end());
    }
  }
  return {ids.begin(), ids.end()};
}

}  // namespace

TrialState planned_state(const Trial& trial, std::optional<TrialState> before, bool given_up,
                         const KnownState& state_of) {
  TrialFacts facts{.given_up = given_up};
  // A run takes a cancellation back if a plan wants the trial.
  const bool is_recorded = before && *before != TrialState::cancelled && is_stored_state(*before);
  if (is_recorded) facts.recorded = before;
  NeedState worst = NeedState::met;
  for (const auto& [slot, ids] : trial.needs) {
    for (const std::string& id : ids) {
      const TrialState state = state_of(id).value_or(TrialState::waiting);
      worst = std::max(worst, need_state(state, trial.may_diverge.contains(slot)));
    }
  }
  return trial_state(facts, worst);
}

std::map<std::string, TrialState> states_of(const std::vector<Plan>& plans, Store* store) {
  if (!store) return {};
  std::map<std::string, TrialState> states = store->states(ids_with_needs(plans));
  const std::set<std::string> given_up = cancelled_by_all(plans, *store);
  const auto known = [&](const std::string& id) -> std::optional<TrialState> {
    const auto found = states.find(id);
    return found == states.end() ? std::nullopt : std::optional(found->second);
  };
  // The trials of a plan are in dependency order.
  for (const Plan& plan : plans) {
    for (const PlannedTrial& planned : plan.trials) {
      const std::string& id = planned.trial.id;
      const std::optional<TrialState> before = known(id);
      const TrialState now = planned_state(planned.trial, before, given_up.contains(id), known);
      if (before || is_final(now)) states[id] = now;
    }
  }
  return states;
}

}  // namespace rethink
