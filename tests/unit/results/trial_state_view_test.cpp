// The view `trial` has the same state as trial_state() for every trial.
#include <gtest/gtest.h>

#include <map>

#include "core/files/lock.h"
#include "results/database/schema.h"
#include "results/database/sql_expressions.h"
#include "results/store/store.h"
#include "tests/support/random_choices.h"
#include "tests/support/temp_folder.h"
#include "tests/unit/results/trial_maker.h"

namespace rethink {
namespace {

struct Node {
  TrialFacts facts{};
  std::map<size_t, bool> needs{};  // whether each may diverge
};

/// Random trials that need earlier trials, with states recorded in folders, in sweeps that need the trials or gave them up.
std::vector<Node> random_trials(RandomChoices& random) {
  std::vector<Node> trials(12);
  for (size_t i = 0; i < trials.size(); ++i) {
    const TrialState state = random.one_of(kTrialStates);
    if (is_stored_state(state) && random.below(2) == 0) trials[i].facts.recorded = state;
    for (size_t need = i > 0 ? random.below(4) : 0; need > 0; --need)
      trials[i].needs.try_emplace(random.below(i), random.below(2) == 0);
    trials[i].facts.given_up = random.below(6) == 0;
  }
  return trials;
}

std::vector<TrialState> states_by_rule(const std::vector<Node>& trials) {
  std::vector<TrialState> states;
  for (const Node& trial : trials) {
    NeedState worst = NeedState::met;
    for (const auto& [need, may_diverge] : trial.needs)
      worst = std::max(worst, need_state(states[need], may_diverge));
    states.push_back(trial_state(trial.facts, worst));
  }
  return states;
}

Json json_of(const std::filesystem::path& store, const std::vector<Node>& trials, size_t index) {
  Json json = TrialMaker(store, std::to_string(index)).json();
  json["may_diverge"] = {"candidates"};
  for (const auto& [need, may_diverge] : trials[index].needs)
    json["needs"][may_diverge ? "candidates" : "init"].push_back(id_of(std::to_string(need)));
  return json;
}

void put_trials(const std::filesystem::path& folder, const std::vector<Node>& trials,
                Store& store) {
  store.begin();
  // If one of two sweeps gave a trial up, the other sweep still needs the trial.
  Sweep gave_up{"gave_up", "", {}, {}, {}}, wants{"wants", "", {}, {}, {}};
  for (size_t i = 0; i < trials.size(); ++i) {
    const std::string id = id_of(std::to_string(i));
    store.put_trial(json_of(folder, trials, i),
                    trials[i].facts.recorded.value_or(TrialState::ready));
    (i % 2 ? gave_up : wants).members.push_back({id, "s", "", {}});
    if (!trials[i].facts.given_up && i % 2) wants.members.push_back({id, "s", "", {}});
    if (trials[i].facts.given_up) (i % 2 ? gave_up : wants).cancelled.insert(id);
    if (i % 2) gave_up.cancelled.insert(id);
  }
  store.put_sweep(gave_up);
  store.put_sweep(wants);
  store.commit();
}

void expect_states(const Store& store, const std::vector<Node>& trials, int round) {
  const std::vector<TrialState> expected = states_by_rule(trials);
  for (size_t i = 0; i < trials.size(); ++i) {
    ASSERT_EQ(store.trial(id_of(std::to_string(i)))->state, expected[i])
        << "trial " << i << " of round " << round;
  }
}

TEST(TrialStateView, AgreesWithTheRule) {
  const TempFolder folder;
  RandomChoices random(11);
  for (int round = 0; round < 200; ++round) {
    const std::vector<Node> trials = random_trials(random);
    Store store(folder.path(), std::filesystem::path());
    put_trials(folder.path(), trials, store);
    expect_states(store, trials, round);
  }
}

TEST(TrialStateView, AgreesWithTheRuleWhereADriverDied) {
  RandomChoices random(12);
  for (int round = 0; round < 150; ++round) {
    const TempFolder folder;
    std::vector<Node> trials = random_trials(random);
    {
      Store store(folder.path(), Store::Access::write);
      put_trials(folder.path(), trials, store);
    }
    std::vector<FolderLock> workers;
    for (size_t i = 0; i < trials.size(); ++i) {
      TrialFacts& facts = trials[i].facts;
      if (facts.recorded != TrialState::running) continue;
      facts.recorded.reset();
      facts.has_worker = random.below(2) == 0;
      if (facts.has_worker)
        workers.push_back(
            FolderLock::try_take(trial_folder(folder.path(), id_of(std::to_string(i)))).value());
    }
    expect_states(Store(folder.path(), Store::Access::read), trials, round);
  }
}

TEST(StoredWords, AreQuotedForSql) {
  EXPECT_EQ(sql_list(has_result), "'done', 'diverged'");
  EXPECT_EQ(sql_list({AttemptOutcome::oom, AttemptOutcome::lost}), "'oom', 'lost'");
  EXPECT_EQ(sql_text(TrialState::running), "'running'");
}

}  // namespace
}  // namespace rethink
