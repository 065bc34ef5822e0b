// Kills the process that reaches a kill point, at each of its first three hits. The commands for
// this point are repeated until they succeed, and the store ends like that of an undisturbed run.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/json.h"
#include "tests/crash/driver.h"
#include "tests/support/kill_point_names.h"

namespace rethink {
namespace {

/// Trials that need each other's weights, and three that fail.
constexpr const char* kMixed = R"(sweep: mixed
seeds: [0]
stages:
  a: {job: noop, steps: 3, checkpoint_every: 1, grid: {tag: [x, y, z]}}
  b: {job: noop, needs: {init: a}, steps: 2}
  c: {job: noop, steps: 4, fail_at: 2, grid: {tag: [p, q, r]}}
)";
/// Sweep whose trials' weights are not kept until `later` needs them.
constexpr const char* kEarlier = R"(sweep: earlier
seeds: [0]
stages:
  a: {job: noop, steps: 2, grid: {tag: [x, y, z]}}
)";
constexpr const char* kLater = R"(sweep: later
seeds: [0]
stages:
  a: {job: noop, steps: 2, grid: {tag: [x, y, z]}}
  b: {job: noop, needs: {init: a}, steps: 1}
)";

constexpr const char* kScores = R"(from: a server
date: 2026-11-20
sweep: mixed
stage: a
scores:
  - {where: {tag: x}, test: 1.5}
  - {where: {tag: y}, test: 2.5}
  - {where: {tag: z}, test: 3.5}
)";

/// A command and the exit code of an undisturbed run.
struct Step {
  std::vector<std::string> words;
  int exit_code = 0;
};
/// Commands that reach a kill point three times.
using Steps = std::vector<Step>;

const Steps kRun = {{{"run", "mixed.yaml"}, 1}};
const Steps kRunThrice = {
    {{"run", "earlier.yaml"}}, {{"run", "earlier.yaml"}}, {{"run", "earlier.yaml"}}};
const Steps kRetry = {{{"run", "mixed.yaml"}, 1}, {{"retry", "mixed"}}, {{"run", "mixed.yaml"}, 1}};
const Steps kCancel = {{{"run", "mixed.yaml", "--max-trials", "0"}, 0},
                       {{"run", "earlier.yaml", "--max-trials", "0"}, 0},
                       {{"run", "later.yaml", "--max-trials", "0"}, 0},
                       {{"cancel", "mixed", "earlier", "later"}}};
const Steps kMakeAgain = {{{"run", "earlier.yaml"}}, {{"run", "later.yaml"}}};
const Steps kResults = {
    {{"run", "earlier.yaml"}}, {{"damage the results"}}, {{"run", "earlier.yaml"}}};
const Steps kRemove = {{{"run", "mixed.yaml"}, 1}, {{"run", "later.yaml"}},
                       {{"run", "earlier.yaml"}},  {{"rm", "--yes", "mixed"}},
                       {{"rm", "--yes", "later"}}, {{"rm", "--yes", "earlier"}}};
const Steps kMerge = {{{"fill another store"}},     {{"run", "earlier.yaml", "--max-trials", "0"}},
                      {{"db", "merge", "another"}}, {{"db", "merge", "another"}},
                      {{"db", "merge", "another"}}, {{"run", "earlier.yaml"}}};
const Steps kRebuild = {{{"run", "earlier.yaml"}}, {{"damage the database"}},
                        {{"db", "rebuild"}},       {{"damage the database"}},
                        {{"db", "rebuild"}},       {{"damage the database"}},
                        {{"db", "rebuild"}}};
const Steps kImport = {{{"run", "mixed.yaml"}, 1}, {{"score", "import", "scores.yaml"}}};
const Steps kAnswer = {{{"run", "mixed.yaml", "--max-trials", "0"}},
                       {{"leave three requests"}},
                       {{"run", "mixed.yaml"}, 1}};

const Steps kPilot = {{{"run", "mixed.yaml", "--site", "local", "--wait"}, 1}};
const Steps kPilots = {{{"run", "earlier.yaml", "--site", "local", "--wait"}},
                       {{"run", "mixed.yaml", "--site", "local", "--wait"}, 1},
                       {{"run", "later.yaml", "--site", "local", "--wait"}}};

/// Commands for points that `kRun` does not reach three times.
const std::map<std::string, Steps> kStories = {{"after_trials_written", kRunThrice},
                                               {"after_sweeps_written", kRunThrice},
                                               {"before_plan_commit", kRunThrice},
                                               {"after_plan_commit", kRunThrice},
                                               {"before_state_cleared", kRetry},
                                               {"after_cancellation", kCancel},
                                               {"before_answer", kAnswer},
                                               {"after_answer", kAnswer},
                                               {"after_result_set_aside", kMakeAgain},
                                               {"after_repeated_file_moved", kMakeAgain},
                                               {"after_damaged_result_removed", kResults},
                                               {"after_trial_set_aside", kRemove},
                                               {"before_sweeps_removed", kRemove},
                                               {"after_sweep_removed", kRemove},
                                               {"after_trials_emptied", kRemove},
                                               {"before_trials_deleted", kRemove},
                                               {"before_trials_arrive", kMerge},
                                               {"after_trial_left", kMerge},
                                               {"after_trial_arrived", kMerge},
                                               {"after_trials_arrived", kMerge},
                                               {"before_merge_commit", kMerge},
                                               {"after_scores_written", kImport},
                                               {"after_database_part_moved", kRebuild},
                                               {"before_rebuild_commit", kRebuild},
                                               {"before_attempt_claim", kPilot},
                                               {"after_attempt_claim", kPilot},
                                               {"after_pilot_change", kPilot},
                                               {"after_pilots_taken_in", kPilots},
                                               {"after_pilot_announced", kPilots},
                                               {"after_pilot_plan", kPilots},
                                               {"after_pilots_submitted", kPilots},
                                               {"after_pilots_recorded", kPilots}};

class ProgramKillPoint : public DriverTest, public testing::WithParamInterface<std::string> {
 protected:
  ProgramKillPoint() {
    write_text(folder_ / "mixed.yaml", kMixed);
    write_text(folder_ / "earlier.yaml", kEarlier);
    write_text(folder_ / "later.yaml", kLater);
    write_text(folder_ / "scores.yaml", kScores);
  }

  /// Leaves three requests, like three `cancel`s that wait for a driver.
  void leave_requests(const std::string& store) const {
    for (const char* sweep : {"mixed", "mixed", "mixed"}) {
      static int number = 0;
      write_text(folder_ / store / "requests" / (std::to_string(++number) + ".json"),
                 Json{{"kind", "cancel"}, {"targets", {sweep}}, {"only", Json::array()}}.dump());
    }
  }

  /// Does a step that is no command of the program.
  bool prepare(const std::string& what, const std::string& store) const {
    if (what == "leave three requests") {
      leave_requests(store);
    } else if (what == "fill another store") {
      EXPECT_EQ(rethink({"run", "earlier.yaml"}, "another").status, 0);
    } else if (what == "damage the database") {
      write_text(folder_ / store / "rethink.db", "no database");
    } else if (what == "damage the results") {
      for (const TrialFolder& trial : trials(store)) write_text(trial.result(), "no result");
    } else {
      return false;
    }
    return true;
  }

  /// Runs the steps in order, each again while it is killed; returns the number of kills.
  int take(const Steps& steps, const std::string& store, const std::string& kill_at) const {
    int killed = 0;
    for (const Step& step : steps) {
      if (prepare(step.words.front(), store)) continue;
      ProgramResult result;
      while ((result = rethink(step.words, store, kill_at)).status == kKilled && ++killed < 10) {
      }
      // What was removed before the kill cannot be removed again.
      const bool gone = step.words.front() == "rm" && result.status == 2 && killed > 0;
      EXPECT_TRUE(result.status == step.exit_code || gone)
          << kill_at << ": " << step.words.front() << ": " << result.status << "\n"
          << result.error;
    }
    return killed;
  }
};

TEST_P(ProgramKillPoint, LosesAndDoublesNothing) {
  const auto special = kStories.find(GetParam());
  const Steps& steps = special == kStories.end() ? kRun : special->second;
  take(steps, "quiet", "");
  const std::vector<std::string> expected = dump_store(folder_ / "quiet");
  for (int hit = 1; hit <= 3; ++hit) {
    const std::string at = GetParam() + ":" + std::to_string(hit);
    SCOPED_TRACE(at);
    const int killed = take(steps, at, at);
    EXPECT_EQ(std::filesystem::file_size(folder_ / at / "kill_point") >= static_cast<uint64_t>(hit),
              true);
    EXPECT_LE(killed, 1);
    EXPECT_EQ(dump_store(folder_ / at), expected);
    EXPECT_THAT(overlapping_attempts(folder_ / at), testing::IsEmpty());
    EXPECT_THAT(differences_to_rebuild(folder_ / at), testing::IsEmpty());
  }
}

std::vector<std::string> all_kill_points() {
  std::vector<std::string> names;
  for (const char* room : {"core", "results", "experiments", "app"}) {
    for (const auto& [name, file] :
         kill_point_names(std::filesystem::path(RETHINK_SOURCE_DIR) / room)) {
      names.push_back(name);
    }
  }
  return names;
}

INSTANTIATE_TEST_SUITE_P(, ProgramKillPoint, testing::ValuesIn(all_kill_points()),
                         [](const auto& name) { return name.param; });

}  // namespace
}  // namespace rethink
