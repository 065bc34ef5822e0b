// The states of planned trials: trial_state() of core/trial_state.h, with what a plan and the store
// know. `plan` and `run` both derive states here.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/trial_state.h"
#include "experiments/plan/plan.h"
#include "results/store/store.h"

namespace rethink {

/// Returns the state of a trial by its id; nothing for a trial without a known state.
using KnownState = std::function<std::optional<TrialState>(const std::string&)>;

/// Returns the state of a planned trial. `before` is its state in the store, if the store has it;
/// waiting, ready, blocked and cancelled are derived again. `given_up`: every plan with the trial
/// has cancelled it. A needed trial without a known state counts as open.
TrialState planned_state(const Trial& trial, std::optional<TrialState> before, bool given_up,
                         const KnownState& state_of);

/// Returns the states that a run of the plans finds: of trials that `store` has, and of others that
/// the run leaves out (blocked, cancelled). Returns nothing without a store.
std::map<std::string, TrialState> states_of(const std::vector<Plan>& plans, Store* store);

}  // namespace rethink
