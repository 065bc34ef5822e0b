#include "results/store/settle.h"

#include <algorithm>
#include <set>

#include "core/format/trial_folder.h"
#include "core/json.h"
#include "core/system/file.h"
#include "core/system/lock.h"
#include "results/folders/foreign_parts.h"
#include "results/folders/stored_trial.h"
#include "results/store/rebuild.h"
#include "results/store/store_state.h"

namespace rethink {

namespace {

class Settling {
 public:
  Settling(Store& store, const std::filesystem::path& folder) : store_(store), folder_(folder) {
    SQLite::Statement trials(store.database(), "SELECT id, state FROM trial");
    while (trials.executeStep()) before_[trials.getColumn(0)] = state_at(trials, 1);
    states_ = before_;
    for (auto& [trial, state] : states_) {
      if (state == TrialState::ready || state == TrialState::blocked) state = TrialState::waiting;
    }
    SQLite::Statement needs(store.database(), "SELECT trial, slot, need FROM trial_need");
    while (needs.executeStep()) {
      needs_[needs.getColumn(0)].push_back(
          {needs.getColumn(1).getString(), needs.getColumn(2).getString()});
    }
    SQLite::Statement given_up(
        store.database(), "SELECT trial FROM sweep_trial GROUP BY trial HAVING min(cancelled) = 1");
    while (given_up.executeStep()) cancelled_.insert(given_up.getColumn(0).getString());
  }

  void run() {
    for (const auto& [trial, before] : before_) {
      const TrialState now = settle(trial);
      if (now != before) store_.set_state(trial, now);
    }
  }

 private:
  TrialState settle(const std::string& trial) {
    TrialState& state = states_[trial];  // a need without a folder waits
    if (!settled_.insert(trial).second || state != TrialState::waiting) return state;
    if (cancelled_.count(trial)) {
      state = TrialState::cancelled;
    } else {
      bool all_met = true, any_lost = false;
      for (const Need& need : needs_[trial]) {
        const TrialState of_need = settle(need.trial);
        const NeedState now =
            need_state(of_need, of_need == TrialState::diverged && may_diverge(trial, need.slot));
        all_met = all_met && now == NeedState::met;
        any_lost = any_lost || now == NeedState::lost;
      }
      state = any_lost ? TrialState::blocked : all_met ? TrialState::ready : TrialState::waiting;
    }
    return state;
  }

  /// Asked of few: most needs are done or open.
  bool may_diverge(const std::string& trial, const std::string& slot) const {
    const std::filesystem::path folder = trial_folder(folder_, trial);
    std::error_code unreadable;
    if (!std::filesystem::exists(folder / kTrialFile, unreadable)) return false;
    const Json slots =
        readable_trial(folder).value_or(Json::object()).value("may_diverge", Json::array());
    return std::find(slots.begin(), slots.end(), slot) != slots.end();
  }

  struct Need {
    std::string slot, trial;
  };

  Store& store_;
  const std::filesystem::path& folder_;
  std::map<std::string, TrialState> before_, states_;
  std::map<std::string, std::vector<Need>> needs_;
  std::set<std::string> cancelled_, settled_;
};

}  // namespace

NeedState need_state(TrialState of_need, bool may_diverge) {
  if (of_need == TrialState::done || (of_need == TrialState::diverged && may_diverge))
    return NeedState::met;
  return is_final(of_need) ? NeedState::lost : NeedState::open;
}

void settle_states(Store& store, const std::filesystem::path& folder) {
  Settling(store, folder).run();
}

namespace {

bool has_ended_by_itself(const std::filesystem::path& trial_folder) {
  return unusable_part(trial_folder).empty() &&
         std::filesystem::exists(trial_folder / kResultFile) && !is_folder_locked(trial_folder);
}

}  // namespace

std::vector<std::string> finished_orphans(Store& store, const std::filesystem::path& folder,
                                          const std::set<std::string>& expected) {
  std::vector<std::string> orphans;
  SQLite::Statement running(store.database(),
                            "SELECT id FROM trial WHERE state = 'running' ORDER BY id");
  while (running.executeStep()) {
    const std::string trial = running.getColumn(0);
    if (!expected.count(trial) && has_ended_by_itself(trial_folder(folder, trial)))
      orphans.push_back(trial);
  }
  return orphans;
}

void take_over(Store& store, const std::filesystem::path& folder,
               const std::vector<std::string>& orphans) {
  if (orphans.empty()) return;
  WriteScope scope(store);
  std::vector<std::string> damaged;  // the next run of their sweep repeats them
  for (const std::string& trial : orphans) index_trial(store, folder, trial, damaged);
  settle_states(store, folder);
  scope.done();
}

}  // namespace rethink
