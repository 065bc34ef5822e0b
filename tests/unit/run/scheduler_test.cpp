#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "tests/unit/run/scheduler_world.h"

namespace rethink {
namespace {

using testing::ElementsAre;
using testing::Pair;

/// A fake run in a job that ends at a given time.
struct TimedWorld {
  explicit TimedWorld(double end) : end_s(end) {}
  double end_s;
  World world{1, {.seconds_left = [this] { return std::optional(end_s - world.clock.now_s); }}};
  void add(double seconds, const TrialOutlook& outlook, const std::string& id) {
    PlannedTrial& trial = world.trials.emplace_back();
    trial.trial.id = id;
    world.runner.script(id, {{.seconds = seconds}});
    world.scheduler.add(trial, TrialState::waiting, outlook);
  }
};

TEST(Scheduler, BeginsNoTrialThatWouldNotBeDoneInTime) {
  TimedWorld timed(50);
  World& world = timed.world;
  timed.add(100, {.expected_s = 100}, "long");
  timed.add(20, {.expected_s = 20}, "short");
  world.scheduler.run();
  EXPECT_THAT(world.runner.starts, ElementsAre("short"));
  EXPECT_TRUE(world.scheduler.is_out_of_time());
  EXPECT_EQ(world.state("long"), TrialState::ready);
  EXPECT_EQ(world.scheduler.needed_s(world.index("long")), 100);
}

TEST(Scheduler, BeginsATrialThatMakesACheckpointHoweverLongItTakes) {
  TimedWorld timed(50);
  World& world = timed.world;
  timed.add(100, {.expected_s = 100, .makes_checkpoints = true}, "long");
  world.scheduler.run();
  EXPECT_THAT(world.runner.starts, ElementsAre("long"));
  EXPECT_FALSE(world.scheduler.is_out_of_time());
}

TEST(Scheduler, ForecastsByTrialsOfTheStageThatItHasSeen) {
  TimedWorld timed(50);
  World& world = timed.world;
  for (const char* id : {"a", "b", "c"}) timed.add(20, {}, id);
  world.scheduler.run();
  EXPECT_THAT(world.runner.starts, ElementsAre("a", "b"));
  EXPECT_TRUE(world.scheduler.is_out_of_time());
}

TEST(Scheduler, ResumesTrialsOfItsKindFirstAndOthersLast) {
  World world(1, {.is_other_kind = [](const std::string& name, bool) { return name == "there"; }});
  for (const char* id : {"there", "new", "here"}) world.add(id);
  EXPECT_TRUE(world.scheduler.rank_by_kind(world.index("there"), "there"));
  EXPECT_TRUE(world.scheduler.rank_by_kind(world.index("here"), "here"));
  EXPECT_FALSE(world.scheduler.rank_by_kind(world.index("new"), ""));
  EXPECT_FALSE(world.scheduler.rank_by_kind(world.index("here"), "here"));
  world.scheduler.run();
  EXPECT_THAT(world.runner.starts, ElementsAre("here", "new", "there"));
}

/// A store in which another pilot runs every trial for two minutes.
struct SharedRunner : FakeRunner {
  SharedRunner(FakeClock& clock, bool is_dead) : FakeRunner(clock), clock_(clock), dead_(is_dead) {}
  bool is_shared() const override { return true; }
  TrialLook look(const std::string&) override {
    return {.kind = clock_.now_s < 120 ? TrialLook::Kind::elsewhere : TrialLook::Kind::mine};
  }
  bool may_be_dead(const std::string&) override { return dead_; }

 private:
  FakeClock& clock_;
  bool dead_;
};

TEST(Scheduler, StaysForATrialThatADeadPilotMayHaveLeft) {
  for (const bool is_dead : {false, true}) {
    FakeClock clock;
    SharedRunner runner(clock, is_dead);
    CountedLimits listener;
    Slots slots(1, {0}, {});
    Scheduler scheduler(runner, runner, slots, listener, {}, [&] { return clock.now_s; });
    PlannedTrial trial;
    trial.trial.id = "a";
    scheduler.add(trial);
    scheduler.run();
    EXPECT_EQ(runner.starts.size(), is_dead ? 1u : 0u);
    EXPECT_EQ(clock.now_s >= 120, is_dead);
  }
}

TEST(Scheduler, RunsParentsBeforeChildren) {
  World world;
  world.add("child", {"a", "b"});
  world.add("a");
  world.add("b");
  world.scheduler.run();
  EXPECT_THAT(world.runner.starts, ElementsAre("a", "b", "child"));
  EXPECT_EQ(world.scheduler.board().count(TrialState::done), 3u);
}

TEST(Scheduler, DoesNotRepeatWhatIsDoneOrFailed) {
  World world;
  world.add("done", {}, TrialState::done);
  world.add("failed", {}, TrialState::failed);
  world.add("new");
  world.scheduler.run();
  EXPECT_THAT(world.runner.starts, ElementsAre("new"));
}

TEST(Scheduler, RetriesAKilledTrialAndKeepsGoing) {
  World world;
  world.add("a");
  world.add("b");
  world.runner.script("a",
                      {{.outcome = AttemptOutcome::killed}, {.outcome = AttemptOutcome::done}});
  world.scheduler.run();
  EXPECT_EQ(world.runner.starts.size(), 3u);
  EXPECT_EQ(world.state("a"), TrialState::done);
}

TEST(Scheduler, AFailedTrialDoesNotEndTheSweep) {
  World world(1);
  world.add("a");
  world.add("b");
  world.runner.script("a", {{.outcome = AttemptOutcome::failed}});
  world.scheduler.run();
  EXPECT_EQ(world.state("a"), TrialState::failed);
  EXPECT_EQ(world.state("b"), TrialState::done);
  EXPECT_EQ(world.scheduler.message("a"), "a failed");
  EXPECT_EQ(world.scheduler.message("b"), "");
}

TEST(Scheduler, FailFastStartsNothingAfterAFailure) {
  World world(1, {.fail_fast = true});
  world.add("a");
  world.add("b");
  world.runner.script("a", {{.outcome = AttemptOutcome::failed}});
  world.scheduler.run();
  EXPECT_THAT(world.runner.starts, ElementsAre("a"));
  EXPECT_EQ(world.state("b"), TrialState::ready);
}

TEST(Scheduler, MaxTrialsIsALimitOnStarts) {
  World world(2, {.max_trials = 3});
  for (const char* id : {"a", "b", "c", "d", "e"}) world.add(id);
  world.scheduler.run();
  EXPECT_THAT(world.runner.starts, ElementsAre("a", "b", "c"));
  EXPECT_EQ(world.scheduler.board().count(TrialState::done), 3u);
}

TEST(Scheduler, MaxTrialsCountsATrialOnceHoweverOftenItIsTried) {
  World world(1, {.max_trials = 1});
  world.add("a");
  world.add("b");
  world.runner.script("a",
                      {{.outcome = AttemptOutcome::killed}, {.outcome = AttemptOutcome::done}});
  world.scheduler.run();
  EXPECT_THAT(world.runner.starts, ElementsAre("a", "a"));
  EXPECT_EQ(world.state("a"), TrialState::done);
  EXPECT_EQ(world.state("b"), TrialState::ready);
  EXPECT_EQ(world.scheduler.started(), 1u);
}

TEST(Scheduler, AdoptsAnOrphanInsteadOfStartingItAgain) {
  World world;
  world.add("a", {}, TrialState::running);
  world.runner.orphan("a", {.seconds = 5});
  world.scheduler.run();
  EXPECT_THAT(world.runner.adoptions, ElementsAre("a"));
  EXPECT_THAT(world.runner.starts, ElementsAre());
  EXPECT_EQ(world.state("a"), TrialState::done);
}

TEST(Scheduler, AnOrphanThatEndsWithoutAResultRunsAgain) {
  World world;
  world.add("a", {}, TrialState::running);
  world.runner.orphan("a", {.outcome = AttemptOutcome::lost});
  world.scheduler.run();
  EXPECT_THAT(world.runner.starts, ElementsAre("a"));
  EXPECT_EQ(world.state("a"), TrialState::done);
}

TEST(Scheduler, AStopDoesNotWaitForAnOrphanThatCannotBeStopped) {
  World world;
  world.add("a", {}, TrialState::running);
  world.add("b");
  world.runner.orphan("a", {.seconds = 1000});
  world.runner.out_of_reach["a"] = "its process is another user's";
  bool stopped = false;
  world.runner.at_poll = [&] {
    if (!stopped) world.scheduler.stop();
    stopped = true;
  };
  world.scheduler.run();
  EXPECT_EQ(world.state("a"), TrialState::running);
  EXPECT_LT(world.clock.now_s, 5);
}

TEST(Scheduler, ACancelSaysWhichOrphanCannotBeStopped) {
  World world;
  world.add("a", {}, TrialState::running);
  world.runner.orphan("a", {.seconds = 3});
  world.runner.out_of_reach["a"] = "its process is another user's";
  std::vector<std::string> said;
  world.runner.at_poll = [&] { said.push_back(world.scheduler.cancel("a")); };
  world.scheduler.run();
  EXPECT_EQ(said.front(), "its process is another user's");
  EXPECT_EQ(world.state("a"), TrialState::done);
}

TEST(Scheduler, AFencedAttemptMeansThatSomebodyElseIsWatched) {
  World world;
  world.add("a");
  // The orphan takes its lock between our check and our start.
  bool first = true;
  world.runner.at_poll = [&] {
    if (first) world.runner.orphan("a", {.seconds = 3});
    first = false;
  };
  world.runner.script("a", {{.outcome = AttemptOutcome::fenced, .seconds = 0, .free = true}});
  world.scheduler.run();
  EXPECT_THAT(world.runner.adoptions, ElementsAre("a"));
  EXPECT_EQ(world.state("a"), TrialState::done);
}

TEST(Scheduler, TheFirstStopDrainsAndTheTrialsRunNextTime) {
  World world(2);
  for (const char* id : {"a", "b", "c"}) world.add(id);
  for (const char* id : {"a", "b"}) world.runner.script(id, {{.seconds = 100}});
  world.scheduler.run([&] {
    if (!world.scheduler.stopped()) world.scheduler.stop();
  });
  EXPECT_THAT(world.runner.starts, ElementsAre("a", "b"));
  EXPECT_THAT(world.runner.stops, ElementsAre(Pair("a", false), Pair("b", false)));
  EXPECT_EQ(world.scheduler.board().count(TrialState::ready), 3u);
}

TEST(Scheduler, TheSecondStopKills) {
  World world(1);
  world.add("a");
  world.runner.script("a", {{.seconds = 100, .ignores_term = true}});
  int ticks = 0;
  world.scheduler.run([&] {
    if (ticks++ < 2) world.scheduler.stop();
  });
  EXPECT_THAT(world.runner.stops, ElementsAre(Pair("a", false), Pair("a", true)));
  EXPECT_EQ(world.state("a"), TrialState::ready);
}

TEST(Scheduler, ACancelledTrialThatIgnoresItIsKilled) {
  World world(1);
  world.add("a");
  world.runner.script("a", {{.seconds = 1e6, .ignores_term = true}});
  bool asked = false;
  world.scheduler.run([&] {
    if (!asked) world.scheduler.cancel("a");
    asked = true;
  });
  EXPECT_THAT(world.runner.stops, ElementsAre(Pair("a", false), Pair("a", true)));
  EXPECT_EQ(world.state("a"), TrialState::cancelled);
}

TEST(Scheduler, ARetryOfAFailedTrialRunsBesideTheOthers) {
  World world(1);
  world.add("a");
  world.add("b", {"a"});
  world.add("c");
  world.runner.script("a",
                      {{.outcome = AttemptOutcome::failed}, {.outcome = AttemptOutcome::done}});
  world.runner.script("c", {{.seconds = 10}});
  bool asked = false;
  world.scheduler.run([&] {
    if (!asked && world.state("a") == TrialState::failed) world.scheduler.retry("a"), asked = true;
  });
  EXPECT_EQ(world.scheduler.board().count(TrialState::done), 3u);
}

/// The rules hold for any script of attempts, any dependencies, with or without a stop.
RC_GTEST_PROP(SchedulerModel, EveryTrialEndsInExactlyOneFinalStateAndNeverMoreThanNRun, ()) {
  const int slot_count = *rc::gen::inRange(1, 5);
  const int trials = *rc::gen::inRange(1, 30);
  const int stop_after = *rc::gen::inRange(0, 60);  // 0 = never
  World world(slot_count);
  const auto outcome_of = [](int number) {
    const AttemptOutcome kOutcomes[] = {AttemptOutcome::done, AttemptOutcome::done,
                                        AttemptOutcome::done, AttemptOutcome::killed,
                                        AttemptOutcome::lost, AttemptOutcome::failed,
                                        AttemptOutcome::oom,  AttemptOutcome::diverged};
    return kOutcomes[number];
  };
  for (int index = 0; index < trials; ++index) {
    std::set<std::string> needs;
    const auto parents =
        *rc::gen::container<std::vector<int>>(*rc::gen::inRange(0, 3), rc::gen::inRange(0, trials));
    for (const int parent : parents) {
      if (parent < index) needs.insert("t" + std::to_string(parent));
    }
    const std::string id = "t" + std::to_string(index);
    world.add(id, {needs.begin(), needs.end()});
    std::deque<FakeAttempt> script;
    for (int attempt = *rc::gen::inRange(0, 4); attempt > 0; --attempt) {
      script.push_back({.outcome = outcome_of(*rc::gen::inRange(0, 8)),
                        .seconds = *rc::gen::inRange(0, 40) / 10.0,
                        .new_checkpoint = *rc::gen::arbitrary<bool>()});
    }
    script.push_back({});
    world.runner.script(id, std::move(script));
    if (*rc::gen::inRange(0, 10) == 0) world.runner.orphan(id, {.seconds = 2});
  }
  int ticks = 0;
  world.scheduler.run([&] {
    if (++ticks == stop_after) world.scheduler.stop();
  });
  const Board& board = world.scheduler.board();
  size_t orphans = world.runner.adoptions.size();
  RC_ASSERT(world.runner.most_at_once <=
            std::max(static_cast<size_t>(slot_count), orphans + slot_count));
  RC_ASSERT(!world.runner.twice_at_once);
  RC_ASSERT(board.count(TrialState::running) == 0u);
  size_t total = 0;
  for (const TrialState state : kTrialStates) total += board.count(state);
  RC_ASSERT(total == static_cast<size_t>(trials));
  if (!world.scheduler.stopped()) {
    for (const TrialState state : {TrialState::waiting, TrialState::ready})
      RC_ASSERT(board.in(state).empty());
  }
  for (int index = 0; index < trials; ++index) {
    const std::string id = "t" + std::to_string(index);
    const auto recorded = world.runner.states.find(id);
    if (recorded != world.runner.states.end()) RC_ASSERT(recorded->second == board.state(id));
    if (board.state(id) == TrialState::blocked) {
      const auto& needs = board.trial(id).trial.needs.at("needs");
      RC_ASSERT(std::any_of(needs.begin(), needs.end(), [&](const std::string& need) {
        return is_final(board.state(need)) && board.state(need) != TrialState::done;
      }));
    }
  }
}

}  // namespace
}  // namespace rethink
