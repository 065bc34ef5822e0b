// Any history of runs, crashes, cancellations and retries, on a real store with workers that only write
// their folders, compared with a model of a few lines. After each step the index agrees with the model,
// and so do the folders alone.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <deque>
#include <map>
#include <set>

#include "core/files/hash.h"
#include "core/format/file_kind.h"
#include "core/json.h"
#include "core/store_files/event.h"
#include "core/store_files/stored_json.h"
#include "core/store_files/trial_folder.h"
#include "experiments/run/requests.h"
#include "experiments/run/sweep_run.h"
#include "results/store/rebuild.h"
#include "results/upkeep/check_store.h"
#include "tests/unit/plan/plan_fixture.h"

namespace rethink {
namespace {

constexpr int kKilledRetries = 1;
const char* const kSweep =
    "sweep: model\nseeds: [0, 1]\nretry: {killed: 1, lost: 1}\nstages:\n"
    "  a: {job: pretrain, grid: {batch: [1, 2]}}\n"
    "  b: {job: finetune, needs: {init: a}}\n"
    "  c: {job: finetune, needs: {init: b}, steps: 7}\n";

/// The driver's process ends here.
struct DriverDied {};

/// An attempt that ended without a kill, and its outcome.
struct Seen {
  std::string trial;
  AttemptOutcome outcome;
};

/// Workers that leave a worker's files, without a process.
class FolderWorkers : public Runner {
 public:
  /// Outcomes of the attempts in the order of their starts. Further attempts are done.
  std::deque<AttemptOutcome> script;
  size_t starts_left = SIZE_MAX;  // then the driver dies
  std::vector<Seen> seen;
  bool twice_at_once = false;

  void start(const std::string& trial, const AttemptRequest& request) override {
    if (starts_left-- == 0) throw DriverDied();
    twice_at_once = twice_at_once || running_.count(trial) > 0;
    const TrialFolder folder(request.trial);
    const std::vector<int64_t> before = folder.attempts();
    const int64_t number = before.empty() ? 1 : before.back() + 1;
    say(folder, number, {{"event", "start"}, {"attempt", number}, {"resume_step", 0}});
    AttemptOutcome outcome = AttemptOutcome::done;
    if (!script.empty()) {
      outcome = script.front();
      script.pop_front();
    }
    running_[trial] = {folder, number, outcome};
  }
  void adopt(const std::string&, const std::filesystem::path&) override {}
  std::string stop(const std::string& trial, bool) override {
    const auto running = running_.find(trial);
    if (running != running_.end()) running->second.outcome = AttemptOutcome::interrupted;
    return "";
  }
  std::vector<RunnerEvent> poll(std::chrono::milliseconds) override {
    std::vector<RunnerEvent> events;
    for (const auto& [trial, running] : running_) {
      RunnerEvent event;
      event.trial = trial;
      event.status = end(trial, running);
      events.push_back(event);
    }
    running_.clear();
    return events;
  }

 private:
  struct Running {
    TrialFolder folder{""};
    int64_t number = 0;
    AttemptOutcome outcome = AttemptOutcome::done;
  };

  void say(const TrialFolder& folder, int64_t number, const Json& event) {
    const std::filesystem::path file = folder.events(number);
    write_text(file, (std::filesystem::exists(file) ? read_text(file) : "") + event_line(event));
  }

  /// Returns the status that waitpid would return.
  int end(const std::string& trial, const Running& running) {
    const auto& [folder, number, outcome] = running;
    seen.push_back({trial, outcome});
    if (outcome == AttemptOutcome::killed) return SIGKILL;
    say(folder, number, {{"event", "end"}, {"outcome", to_text(outcome)}});
    if (outcome == AttemptOutcome::interrupted)
      return static_cast<int>(AttemptExit::interrupted) << 8;
    if (outcome == AttemptOutcome::failed) return static_cast<int>(AttemptExit::failed) << 8;
    write_text(folder.artifacts() / "weights", trial);
    const Json weights{{"name", "weights"},           {"kind", "weights"},
                       {"file", "artifacts/weights"}, {"sha256", sha256_hex(trial)},
                       {"bytes", trial.size()},       {"facts", Json::object()}};
    Json event = weights;
    event["event"] = "artifact";
    say(folder, number, event);
    write_text(folder.result(),
               stored_text({{"trial", trial},
                            {"seed", read_json(folder.trial()).at("seed")},
                            {"outcome", to_text(outcome)},
                            {"attempt", number},
                            {"events", std::filesystem::file_size(folder.events(number))},
                            {"metrics", Json::object()},
                            {"artifacts", {weights}}}));
    return outcome == AttemptOutcome::done ? 0 : static_cast<int>(AttemptExit::diverged) << 8;
  }

  std::map<std::string, Running> running_;
};

/// The states that the trials must have after every step.
class Model {
 public:
  explicit Model(const Plan& plan) : plan_(plan) {
    for (const PlannedTrial& planned : plan.trials) said_[planned.trial.id] = "";
  }

  void see(const Seen& seen) {
    std::string& state = said_.at(seen.trial);
    if (seen.outcome == AttemptOutcome::interrupted) return;
    if (seen.outcome != AttemptOutcome::killed) state = to_text(seen.outcome);
    if (seen.outcome == AttemptOutcome::killed && ++killed_[seen.trial] > kKilledRetries)
      state = "failed";
  }
  void cancel(const std::string& trial) {
    if (said_.at(trial).empty()) said_[trial] = "cancelled";
  }
  void retry(const std::string& trial) {
    if (said_.at(trial) == "done") return;
    said_[trial] = "";
    killed_.erase(trial);
  }

  std::map<std::string, std::string> states() const {
    std::map<std::string, std::string> states;
    for (const PlannedTrial& planned : plan_.trials) {
      std::string state = said_.at(planned.trial.id);
      if (state.empty()) state = by_needs(planned, states);
      states[planned.trial.id] = state;
    }
    return states;
  }

 private:
  static std::string by_needs(const PlannedTrial& planned,
                              const std::map<std::string, std::string>& states) {
    std::string state = "ready";
    for (const auto& [slot, ids] : planned.trial.needs) {
      for (const std::string& id : ids) {
        const std::string& need = states.at(id);
        if (need == "failed" || need == "diverged" || need == "cancelled" || need == "blocked")
          return "blocked";
        if (need != "done") state = "waiting";
      }
    }
    return state;
  }

  const Plan& plan_;
  std::map<std::string, std::string> said_;  // "": its needs decide
  std::map<std::string, int> killed_;
};

class StoreModel : public PlanFixture {
 protected:
  std::filesystem::path store() const { return memory_ / "store"; }

  /// Returns false when the driver died.
  bool run(Model& model, FolderWorkers& workers, int signals) {
    SchedulerListener nobody;
    RunChoices choices;
    choices.store = store();
    choices.slots = 2;
    choices.runner = &workers;
    const std::atomic<int> seen_signals = signals;
    bool lives = true;
    try {
      std::vector<Plan> plans{plan_};
      run_sweeps(plans, sample::schema(), choices, nobody, seen_signals);
    } catch (const DriverDied&) {
      lives = false;
    }
    for (const Seen& seen : workers.seen) model.see(seen);
    return lives;
  }

  std::map<std::string, std::string> states() {
    const Store index(store(), Store::Access::read);
    std::vector<std::string> ids;
    for (const PlannedTrial& planned : plan_.trials) ids.push_back(planned.trial.id);
    std::map<std::string, std::string> states;
    for (const auto& [id, state] : index.states(ids)) states[id] = to_text(state);
    return states;
  }

  const TempFolder memory_{memory_folder()};
  const Plan plan_ = plan(kSweep);
};

FolderWorkers workers_of(const std::vector<int>& outcomes) {
  const AttemptOutcome kOutcomes[] = {AttemptOutcome::done,   AttemptOutcome::done,
                                      AttemptOutcome::killed, AttemptOutcome::failed,
                                      AttemptOutcome::killed, AttemptOutcome::diverged};
  FolderWorkers workers;
  for (const int outcome : outcomes) workers.script.push_back(kOutcomes[outcome]);
  return workers;
}

TEST_F(StoreModel, ATrialThatItsSweepCancelledIsNotBlocked) {
  std::string other = kSweep;
  other.replace(other.find("model"), 5, "other");
  std::vector<Plan> one{plan_}, both{plan_, plan(other)};
  FolderWorkers workers;
  for (const PlannedTrial& planned : plan_.trials) {
    if (planned.stage == "a") workers.script.push_back(AttemptOutcome::failed);
  }
  SchedulerListener nobody;
  RunChoices choices;
  choices.store = store();
  choices.slots = 1;
  choices.runner = &workers;
  const std::atomic<int> no_signals = 0;
  const RunReport first = run_sweeps(both, sample::schema(), choices, nobody, no_signals);
  const size_t failed = first.count(TrialState::failed), blocked = first.count(TrialState::blocked);
  ASSERT_GT(failed, 0u);
  ASSERT_GT(blocked, 0u);
  // The other sweep wants the blocked trials.
  submit_request({Request::Kind::cancel, {"model"}, {}, {}, {}}, store());
  const RunReport second = run_sweeps(one, sample::schema(), choices, nobody, no_signals);
  EXPECT_EQ(second.count(TrialState::failed), failed);
  EXPECT_EQ(second.count(TrialState::cancelled), blocked);
}

RC_GTEST_FIXTURE_PROP(StoreModel, IsWhatTheStoreSaysAfterAnyHistory, ()) {
  Model model(plan_);
  bool any_run = false;
  const int steps = *rc::gen::inRange(1, 8);
  for (int step = 0; step < steps; ++step) {
    const int what = any_run ? *rc::gen::inRange(0, 6) : 0;
    const std::string trial =
        plan_.trials[*rc::gen::inRange<size_t>(0, plan_.trials.size())].trial.id;
    if (what <= 2) {
      FolderWorkers workers = workers_of(
          *rc::gen::container<std::vector<int>>(*rc::gen::inRange(0, 12), rc::gen::inRange(0, 6)));
      if (what == 1) workers.starts_left = *rc::gen::inRange<size_t>(0, 8);
      const bool lives = run(model, workers, what == 2 ? 1 : 0);
      RC_ASSERT(!workers.twice_at_once);
      any_run = true;
      // A dead driver's index may be older than its folders, which count.
      if (!lives) rebuild(store());
    } else if (what == 3) {
      submit_request({Request::Kind::cancel, {trial}, {}, {}, {}}, store());
      model.cancel(trial);
    } else if (what == 4) {
      submit_request({Request::Kind::retry, {trial}, {}, {}, {}}, store());
      model.retry(trial);
    } else {
      rebuild(store());
    }
    RC_ASSERT(states() == model.states());
    RC_ASSERT(check_store(store(), /*hashes=*/true).problems.empty());
  }
}

}  // namespace
}  // namespace rethink
