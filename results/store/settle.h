// States that follow from other trials and from the sweeps.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "results/store/store.h"

namespace rethink {

/// What a trial that needs another one may make of it.
enum class NeedState {
  met,   // it may begin, as far as this one goes
  open,  // it must wait
  lost   // it can never begin, unless somebody runs the other again
};
/// The one rule, for the scheduler and for states that are made from folders. `of_need` is a
/// TrialState; `may_diverge`: the need only has to end, as the candidates of a select do.
NeedState need_state(std::string_view of_need, bool may_diverge);

/// Makes the rows of one trial from its folder; its state as far as the folder tells it, else
/// waiting. A trial whose result is damaged, or whose events are or end before it, is added to
/// `damaged`.
void index_trial(Store& store, const std::filesystem::path& folder, const std::string& trial,
                 std::vector<std::string>& damaged);

/// Makes waiting, ready and blocked trials cancelled when every sweep that has them gave them up,
/// blocked when a need is lost, ready when all needs are met, else waiting. `folder` is the
/// store's: which needs may diverge stands in trial.json.
void settle_states(Store& store, const std::filesystem::path& folder);

}  // namespace rethink
