#include "experiments/schedule/scheduler.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "core/error.h"
#include "tests/support/fake_runner.h"

namespace rethink {
namespace {

using testing::ElementsAre;
using testing::Pair;

struct World {
  FakeClock clock;
  FakeRunner runner{clock};
  SchedulerListener listener;
  Slots slots;
  Scheduler scheduler;

  explicit World(int slot_count = 2, SchedulerOptions options = {}, std::vector<Gpu> gpus = {})
      : slots(slot_count, {0, 1}, std::move(gpus)),
        scheduler(runner, runner, slots, listener, options, [this] { return clock.now_s; }) {}

  ScheduledTrial& add(const std::string& id, std::vector<std::string> needs = {},
                      State before = State::waiting) {
    added = {};
    added.board.id = id;
    added.board.needs = std::move(needs);
    added.before = before;
    scheduler.add(added);
    return added;
  }
  State state(const std::string& id) const { return scheduler.board().state(id); }

  ScheduledTrial added;
};

TEST(Scheduler, RunsParentsBeforeChildren) {
  World world;
  world.add("child", {"a", "b"});
  world.add("a");
  world.add("b");
  world.scheduler.run();
  EXPECT_THAT(world.runner.starts, ElementsAre("a", "b", "child"));
  EXPECT_EQ(world.scheduler.board().count(State::done), 3u);
}

TEST(Scheduler, DoesNotRepeatWhatIsDoneOrFailed) {
  World world;
  world.add("done", {}, State::done);
  world.add("failed", {}, State::failed);
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
  EXPECT_EQ(world.state("a"), State::done);
}

TEST(Scheduler, AFailedTrialDoesNotEndTheSweep) {
  World world(1);
  world.add("a");
  world.add("b");
  world.runner.script("a", {{.outcome = AttemptOutcome::failed}});
  world.scheduler.run();
  EXPECT_EQ(world.state("a"), State::failed);
  EXPECT_EQ(world.state("b"), State::done);
  EXPECT_THAT(world.scheduler.messages(), ElementsAre(Pair("a", "a failed")));
}

TEST(Scheduler, FailFastStartsNothingAfterAFailure) {
  World world(1, {.fail_fast = true});
  world.add("a");
  world.add("b");
  world.runner.script("a", {{.outcome = AttemptOutcome::failed}});
  world.scheduler.run();
  EXPECT_THAT(world.runner.starts, ElementsAre("a"));
  EXPECT_EQ(world.state("b"), State::ready);
}

TEST(Scheduler, MaxTrialsIsALimitOnStarts) {
  World world(2, {.max_trials = 3});
  for (const char* id : {"a", "b", "c", "d", "e"}) world.add(id);
  world.scheduler.run();
  EXPECT_THAT(world.runner.starts, ElementsAre("a", "b", "c"));
  EXPECT_EQ(world.scheduler.board().count(State::done), 3u);
}

TEST(Scheduler, MaxTrialsCountsATrialOnceHoweverOftenItIsTried) {
  World world(1, {.max_trials = 1});
  world.add("a");
  world.add("b");
  world.runner.script("a",
                      {{.outcome = AttemptOutcome::killed}, {.outcome = AttemptOutcome::done}});
  world.scheduler.run();
  EXPECT_THAT(world.runner.starts, ElementsAre("a", "a"));
  EXPECT_EQ(world.state("a"), State::done);
  EXPECT_EQ(world.state("b"), State::ready);
  EXPECT_EQ(world.scheduler.started(), 1u);
}

TEST(Scheduler, AdoptsAnOrphanInsteadOfStartingItAgain) {
  World world;
  world.add("a", {}, State::running);
  world.runner.orphan("a", {.seconds = 5});
  world.scheduler.run();
  EXPECT_THAT(world.runner.adoptions, ElementsAre("a"));
  EXPECT_THAT(world.runner.starts, ElementsAre());
  EXPECT_EQ(world.state("a"), State::done);
}

TEST(Scheduler, AnOrphanThatEndsWithoutAResultRunsAgain) {
  World world;
  world.add("a", {}, State::running);
  world.runner.orphan("a", {.outcome = AttemptOutcome::lost});
  world.scheduler.run();
  EXPECT_THAT(world.runner.starts, ElementsAre("a"));
  EXPECT_EQ(world.state("a"), State::done);
}

TEST(Scheduler, AFencedAttemptMeansThatSomebodyElseIsWatched) {
  World world;
  world.add("a");
  // The orphan takes its lock between our look and our start.
  bool first = true;
  world.runner.at_poll = [&] {
    if (first) world.runner.orphan("a", {.seconds = 3});
    first = false;
  };
  world.runner.script("a", {{.outcome = AttemptOutcome::fenced, .seconds = 0, .free = true}});
  world.scheduler.run();
  EXPECT_THAT(world.runner.adoptions, ElementsAre("a"));
  EXPECT_EQ(world.state("a"), State::done);
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
  EXPECT_EQ(world.scheduler.board().count(State::ready), 3u);
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
  EXPECT_EQ(world.state("a"), State::ready);
}

TEST(Scheduler, AStalledWorkerIsToldToEndThenKilled) {
  World world(1);
  ScheduledTrial trial;
  trial.board.id = "a";
  trial.stall_limit_s = 60;
  world.scheduler.add(trial);
  world.runner.script("a", {{.seconds = 1e6, .silent = true, .ignores_term = true}});
  world.scheduler.run();
  EXPECT_THAT(world.runner.stops, ElementsAre(Pair("a", false), Pair("a", true)));
  EXPECT_EQ(world.state("a"), State::failed);
  EXPECT_GE(world.clock.now_s, 90);
  EXPECT_LE(world.clock.now_s, 92);
}

TEST(Scheduler, AWorkerThatWritesEventsIsNotStalled) {
  World world(1);
  ScheduledTrial trial;
  trial.board.id = "a";
  trial.stall_limit_s = 60;
  world.scheduler.add(trial);
  world.runner.script("a", {{.seconds = 300}});
  world.scheduler.run();
  EXPECT_EQ(world.state("a"), State::done);
}

TEST(Scheduler, TimeLimitsAddOverAttempts) {
  World world(1);
  ScheduledTrial trial;
  trial.board.id = "a";
  trial.time_limit_s = 100;
  world.scheduler.add(trial);
  world.runner.earlier_seconds["a"] = 80;
  world.runner.script("a", {{.seconds = 50}});
  world.scheduler.run();
  EXPECT_EQ(world.state("a"), State::failed);
  EXPECT_LE(world.clock.now_s, 22);
}

TEST(Scheduler, EachGrantedTimeoutGivesOneMoreTimeLimit) {
  World world(1);
  ScheduledTrial trial;
  trial.board.id = "a";
  trial.board.retry = {{"timeout", 2}};
  trial.time_limit_s = 100;
  world.scheduler.add(trial);
  world.runner.script("a", {{.seconds = 1e6, .new_checkpoint = true}});
  double last_s = 0;
  world.runner.at_poll = [&] {
    if (world.runner.starts.size() > 1 && last_s == 0) last_s = world.clock.now_s;
    world.runner.earlier_seconds["a"] = world.clock.now_s;
  };
  world.scheduler.run();
  EXPECT_EQ(world.state("a"), State::failed);
  EXPECT_EQ(world.runner.starts.size(), 3u);
  EXPECT_GE(last_s, 100);
  EXPECT_GE(world.clock.now_s, 300);
  EXPECT_LE(world.clock.now_s, 302);
}

TEST(Scheduler, AFullDiskDrains) {
  World world(1);
  world.add("a");
  world.add("b");
  world.runner.script("a", {{.outcome = AttemptOutcome::failed, .free = true, .disk_full = true}});
  world.scheduler.run();
  EXPECT_EQ(world.scheduler.disk_problem(), "no room for a");
  EXPECT_EQ(world.state("a"), State::ready);
  EXPECT_THAT(world.runner.starts, ElementsAre("a"));
}

TEST(Scheduler, NothingStartsWithoutRoomForTwoCheckpoints) {
  World world(1);
  world.add("a");
  world.runner.free_bytes_left = uint64_t{3} << 30;
  world.runner.largest_checkpoint = uint64_t{2} << 30;
  world.scheduler.run();
  EXPECT_EQ(world.scheduler.disk_problem(),
            "3.00 GiB are free on the store's disk, and below 4.00 GiB nothing starts");
  EXPECT_THAT(world.runner.starts, ElementsAre());
}

TEST(Scheduler, WhatRunsGoesOnWithoutRoomAndTheRestStartsWhenThereIs) {
  World world(2);
  world.add("a");
  world.add("b");
  world.add("c", {"b"});
  world.runner.script("a", {{.seconds = 10}});
  world.runner.at_poll = [&] {
    world.runner.free_bytes_left = world.clock.now_s < 9 ? 0 : uint64_t{1} << 40;
  };
  world.scheduler.run();
  EXPECT_THAT(world.runner.starts, ElementsAre("a", "b", "c"));
  EXPECT_THAT(world.runner.stops, ElementsAre());
  EXPECT_GE(world.clock.now_s, 10);
  EXPECT_EQ(world.scheduler.disk_problem(), "");
}

TEST(Scheduler, ADriverThatCannotWriteEndsItsWorkers) {
  World world(1);
  world.add("a");
  world.runner.script("a", {{.seconds = 1000}});
  world.runner.at_poll = [&] { world.runner.disk_is_full = world.clock.now_s > 5; };
  EXPECT_THROW(world.scheduler.run(), DiskFullError);
  EXPECT_THAT(world.runner.stops, ElementsAre(Pair("a", false)));
  EXPECT_LE(world.clock.now_s, 7);
}

TEST(Scheduler, TheTimeThatAnOrphanWorkedUnwatchedCounts) {
  World world(1);
  ScheduledTrial trial;
  trial.board.id = "a";
  trial.time_limit_s = 100;
  world.scheduler.add(trial);
  world.runner.orphan_seconds["a"] = 80;
  world.runner.orphan("a", {.seconds = 50});
  world.scheduler.run();
  EXPECT_EQ(world.state("a"), State::failed);
  EXPECT_LE(world.clock.now_s, 22);
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
  EXPECT_EQ(world.state("a"), State::cancelled);
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
    if (!asked && world.state("a") == State::failed) world.scheduler.retry("a"), asked = true;
  });
  EXPECT_EQ(world.scheduler.board().count(State::done), 3u);
}

TEST(Scheduler, AGpuTrialWithoutAGpuSaysSo) {
  World world(1);
  ScheduledTrial trial;
  trial.board.id = "a";
  trial.demand.gpu = true;
  world.scheduler.add(trial);
  EXPECT_THAT([&] { world.scheduler.run(); },
              testing::ThrowsMessage<MachineError>(testing::HasSubstr("choose --device cpu")));
}

TEST(Scheduler, AnOutOfMemoryHalvesThePackingAndRetries) {
  World world(0, {}, {{.uuid = "GPU-1", .name = "", .total_bytes = 100, .free_bytes = 100}});
  for (const char* id : {"a", "b", "c", "d", "e", "f"}) {
    ScheduledTrial trial;
    trial.board.id = id;
    trial.demand = {.threads = 1, .gpu = true, .shape = "s", .gpu_bytes = 25};
    world.scheduler.add(trial);
  }
  world.runner.script("a", {{.outcome = AttemptOutcome::oom}, {.outcome = AttemptOutcome::done}});
  for (const char* id : {"b", "c", "d"}) world.runner.script(id, {{.seconds = 10}});
  world.scheduler.run();
  EXPECT_EQ(world.scheduler.board().count(State::done), 6u);
  EXPECT_EQ(world.runner.most_at_once, 4u);
  // Until the three that run have ended there is no room for one of twice their size; then for two
  // at a time.
  EXPECT_THAT(world.runner.starts, ElementsAre("a", "b", "c", "d", "a", "e", "f"));
  EXPECT_DOUBLE_EQ(world.clock.now_s, 12);
}

/// Any script of attempts, any dependencies, with or without a stop: the rules hold.
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
  RC_ASSERT(board.count(State::running) == 0u);
  size_t total = 0;
  for (const State state : kStates) total += board.count(state);
  RC_ASSERT(total == static_cast<size_t>(trials));
  if (!world.scheduler.stopped()) {
    for (const State state : {State::waiting, State::ready}) RC_ASSERT(board.in(state).empty());
  }
  for (int index = 0; index < trials; ++index) {
    const std::string id = "t" + std::to_string(index);
    const auto recorded = world.runner.states.find(id);
    if (recorded != world.runner.states.end()) RC_ASSERT(recorded->second == board.state(id));
    if (board.state(id) == State::blocked) {
      const auto& needs = board.trial(id).needs;
      RC_ASSERT(std::any_of(needs.begin(), needs.end(), [&](const std::string& need) {
        return is_final(board.state(need)) && board.state(need) != State::done;
      }));
    }
  }
}

}  // namespace
}  // namespace rethink
