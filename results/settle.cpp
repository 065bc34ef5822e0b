#include "results/settle.h"

#include <set>

#include "results/store_state.h"

namespace rethink {
namespace {

class Settling {
 public:
  explicit Settling(Store& store) : store_(store) {
    SQLite::Statement trials(store.database(), "SELECT id, state FROM trial");
    while (trials.executeStep()) states_[trials.getColumn(0)] = trials.getColumn(1).getString();
    SQLite::Statement needs(store.database(), "SELECT trial, need FROM trial_need");
    while (needs.executeStep()) needs_[needs.getColumn(0)].push_back(needs.getColumn(1));
    SQLite::Statement given_up(store.database(),
                               "SELECT trial FROM sweep_trial GROUP BY trial HAVING min(cancelled) = 1");
    while (given_up.executeStep()) cancelled_.insert(given_up.getColumn(0).getString());
  }

  void run() {
    for (const auto& [trial, state] : std::map(states_)) {
      if (state == "waiting") settle(trial);
    }
  }

 private:
  const TrialState& settle(const std::string& trial) {
    TrialState& state = states_[trial];  // a need without a folder waits
    if (!settled_.insert(trial).second || state != "waiting") return state;
    if (cancelled_.count(trial)) {
      state = "cancelled";
    } else {
      bool all_done = true, hopeless = false;
      for (const std::string& need : needs_[trial]) {
        const TrialState& of_need = settle(need);
        all_done = all_done && of_need == "done";
        hopeless = hopeless || of_need == "failed" || of_need == "diverged" || of_need == "cancelled" ||
                   of_need == "blocked";
      }
      state = hopeless ? "blocked" : all_done ? "ready" : "waiting";
    }
    store_.set_state(trial, state);
    return state;
  }

  Store& store_;
  std::map<std::string, TrialState> states_;
  std::map<std::string, std::vector<std::string>> needs_;
  std::set<std::string> cancelled_, settled_;
};

}  // namespace

void settle_states(Store& store) {
  Settling(store).run();
}

}  // namespace rethink
