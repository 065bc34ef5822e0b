// Kills a worker process at every kill point, at each of its first three hits. The trials end with the
// rows and weights of an undisturbed run.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include "core/json.h"
#include "experiments/attempt/trial_files.h"
#include "tests/crash/attempt_process.h"
#include "tests/support/kill_point_names.h"

namespace rethink {
namespace {

constexpr int kMostAttempts = 8;

/// Adds three trials in a row, each beginning with the weights of the one before.
std::vector<Trial> chain(const AttemptStore& store) {
  const Json options{{"steps", 4}, {"checkpoint_every", 1}};
  std::vector<Trial> trials{store.add("noop", options, 0)};
  while (trials.size() < 3)
    trials.push_back(store.add("noop", options, 0, {{"init", {trials.back().id}}}));
  return trials;
}

/// Runs attempts at each trial until it has its result; returns how many were killed.
int run_all(const AttemptStore& store, const std::vector<Trial>& trials,
            const std::map<std::string, std::string>& environment) {
  int killed = 0;
  for (const Trial& trial : trials) {
    for (int attempt = 0; attempt < kMostAttempts && !read_result(store.folder(trial)); ++attempt) {
      const int code = run_attempt_of(kWorker, store.request(trial), environment);
      killed += code == 128 + SIGKILL;
      EXPECT_TRUE(code == 0 || code == 128 + SIGKILL) << code;
    }
  }
  return killed;
}

struct Outcome {
  Json result;
  MetricRows rows;
};

std::map<std::string, Outcome> outcomes(const AttemptStore& store,
                                        const std::vector<Trial>& trials) {
  std::map<std::string, Outcome> all;
  for (const Trial& trial : trials) {
    const auto result = read_result(store.folder(trial));
    EXPECT_TRUE(result);
    if (result) all[trial.id] = {lasting_part(*result), metric_rows(store.folder(trial))};
  }
  return all;
}

/// Returns the names of kill points in workers: those of this room without the driver's and the zygote's.
std::vector<std::string> worker_kill_points() {
  std::vector<std::string> names;
  for (const auto& [name, file] :
       kill_point_names(std::filesystem::path(RETHINK_SOURCE_DIR) / "experiments/attempt")) {
    if (file != "trial_files.cpp" && file != "zygote/zygote_server.cpp") names.push_back(name);
  }
  return names;
}

class AttemptKillPoint : public testing::TestWithParam<std::string> {};

TEST_P(AttemptKillPoint, LosesAndDoublesNothing) {
  const AttemptStore quiet;
  const std::vector<Trial> trials = chain(quiet);
  ASSERT_EQ(run_all(quiet, trials, {}), 0);
  const auto expected = outcomes(quiet, trials);
  for (int hit = 1; hit <= 3; ++hit) {
    SCOPED_TRACE(GetParam() + ":" + std::to_string(hit));
    const AttemptStore store;
    chain(store);
    EXPECT_EQ(run_all(store, trials, {{"RETHINK_KILL_AT", GetParam() + ":" + std::to_string(hit)}}),
              1);
    for (const auto& [id, outcome] : outcomes(store, trials)) {
      EXPECT_EQ(outcome.result, expected.at(id).result);
      EXPECT_EQ(outcome.rows, expected.at(id).rows);
    }
    for (const Trial& trial : trials) {
      const TrialFolder folder = store.folder(trial);
      for (const auto& entry : std::filesystem::directory_iterator(folder.path())) {
        EXPECT_FALSE(entry.path().filename().string().starts_with('.')) << entry.path();
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Worker, AttemptKillPoint, testing::ValuesIn(worker_kill_points()),
                         [](const auto& name) { return name.param; });

TEST(AttemptKillPoints, AreFoundInTheSources) {
  EXPECT_THAT(
      worker_kill_points(),
      testing::IsSupersetOf({"after_trial_lock", "after_checkpoint_rename", "after_result"}));
}

}  // namespace
}  // namespace rethink
