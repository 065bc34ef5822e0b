// Effects of time, silence, disks and GPUs on a scheduler.
#include "tests/unit/run/scheduler_world.h"

namespace rethink {
namespace {

using testing::ElementsAre;
using testing::Pair;
using testing::ThrowsMessage;

TEST(SchedulerLimits, AStalledWorkerIsSignalledThenKilled) {
  World world(1);
  StageResources resources;
  resources.stall_limit_s = 60;
  world.add_with(resources, "a");
  world.runner.script("a", {{.seconds = 1e6, .silent = true, .ignores_term = true}});
  world.scheduler.run();
  EXPECT_THAT(world.runner.stops, ElementsAre(Pair("a", false), Pair("a", true)));
  EXPECT_EQ(world.state("a"), TrialState::failed);
  EXPECT_GE(world.clock.now_s, 90);
  EXPECT_LE(world.clock.now_s, 92);
}

/// The worker of a user's program kills it after the grace period, and needs time to report this.
TEST(SchedulerLimits, TheGraceTimeComesFromTheSweep) {
  for (const bool is_program : {false, true}) {
    SchedulerOptions options;
    if (is_program) options.light_jobs = {""};  // the job of the world's trials
    World world(1, options);
    StageResources resources;
    resources.stall_limit_s = 60;
    resources.grace_s = 100;
    world.add_with(resources, "a");
    world.runner.script("a", {{.seconds = 1e6, .silent = true, .ignores_term = true}});
    world.scheduler.run();
    EXPECT_THAT(world.runner.stops, ElementsAre(Pair("a", false), Pair("a", true)));
    EXPECT_GE(world.clock.now_s, is_program ? 170 : 160);
    EXPECT_LE(world.clock.now_s, is_program ? 172 : 162);
  }
}

TEST(SchedulerLimits, AStoppedTrialHasNoTimeLimit) {
  World world(1);
  StageResources resources;
  resources.time_limit_s = 100;
  world.add_with(resources, "a");
  world.runner.script("a", {{.seconds = 140, .ignores_term = true}});
  world.scheduler.run([&] {
    if (world.clock.now_s > 90 && !world.scheduler.stopped()) world.scheduler.stop();
  });
  EXPECT_THAT(world.runner.stops, ElementsAre(Pair("a", false)));
  EXPECT_EQ(world.state("a"), TrialState::done);
}

TEST(SchedulerLimits, AStallAfterAStopIsAnInterruption) {
  World world(1);
  StageResources resources;
  resources.stall_limit_s = 60;
  world.add_with(resources, "a");
  world.runner.script("a", {{.seconds = 1e6, .silent = true, .ignores_term = true}});
  world.scheduler.run([&] {
    if (!world.scheduler.stopped()) world.scheduler.stop();
  });
  EXPECT_THAT(world.runner.stops, ElementsAre(Pair("a", false), Pair("a", true)));
  EXPECT_EQ(world.state("a"), TrialState::ready);
}

TEST(SchedulerLimits, AWorkerThatWritesEventsIsNotStalled) {
  World world(1);
  StageResources resources;
  resources.stall_limit_s = 60;
  world.add_with(resources, "a");
  world.runner.script("a", {{.seconds = 300}});
  world.scheduler.run();
  EXPECT_EQ(world.state("a"), TrialState::done);
}

TEST(SchedulerLimits, TimeLimitsAddOverAttempts) {
  World world(1);
  StageResources resources;
  resources.time_limit_s = 100;
  world.add_with(resources, "a");
  world.runner.earlier_seconds["a"] = 80;
  world.runner.script("a", {{.seconds = 50}});
  world.scheduler.run();
  EXPECT_EQ(world.state("a"), TrialState::failed);
  EXPECT_LE(world.clock.now_s, 22);
}

TEST(SchedulerLimits, EachGrantedTimeoutGivesOneMoreTimeLimit) {
  World world(1);
  StageResources resources;
  resources.retry = {{AttemptOutcome::timeout, 2}};
  resources.time_limit_s = 100;
  world.add_with(resources, "a");
  world.runner.script("a", {{.seconds = 1e6, .new_checkpoint = true}});
  double last_s = 0;
  world.runner.at_poll = [&] {
    if (world.runner.starts.size() > 1 && last_s == 0) last_s = world.clock.now_s;
    world.runner.earlier_seconds["a"] = world.clock.now_s;
  };
  world.scheduler.run();
  EXPECT_EQ(world.state("a"), TrialState::failed);
  EXPECT_EQ(world.runner.starts.size(), 3u);
  EXPECT_GE(last_s, 100);
  EXPECT_GE(world.clock.now_s, 300);
  EXPECT_LE(world.clock.now_s, 302);
}

TEST(SchedulerLimits, AFullDiskDrains) {
  World world(1);
  world.add("a");
  world.add("b");
  world.runner.script(
      "a", {{.outcome = AttemptOutcome::failed, .free = true, .fault = MachineFault::disk_full}});
  world.scheduler.run();
  EXPECT_EQ(world.scheduler.machine_problem(), "no room for a");
  EXPECT_EQ(world.state("a"), TrialState::ready);
  EXPECT_THAT(world.runner.starts, ElementsAre("a"));
}

TEST(SchedulerLimits, ADiskThatFailsAgainDrains) {
  World world(1);
  world.add("a");
  world.add("b");
  const FakeAttempt failing{
      .outcome = AttemptOutcome::interrupted, .free = true, .fault = MachineFault::disk};
  world.runner.script("a", {failing, {}});
  world.runner.script("b", {failing});
  world.scheduler.run();
  EXPECT_THAT(world.runner.starts, ElementsAre("a", "a", "b", "b"));
  EXPECT_EQ(world.state("a"), TrialState::done);
  EXPECT_EQ(world.state("b"), TrialState::ready);
  EXPECT_EQ(world.scheduler.machine_problem(), "no room for b");
  EXPECT_EQ(world.scheduler.fault(), MachineFault::disk);
}

TEST(SchedulerLimits, FewerRunAtOnceWhereTheSystemLendsNoMoreProcesses) {
  World world(/*slot_count=*/8);
  size_t refused = 0;
  for (int i = 0; i < 20; ++i) {
    const std::string id = "t" + std::to_string(i);
    world.add(id);
    // Of the first eight trials only three get their resources.
    const FakeAttempt refusal{.outcome = AttemptOutcome::lost,
                              .seconds = 0,
                              .free = true,
                              .fault = MachineFault::resources};
    if (i >= 3 && i < 8) world.runner.script(id, {refusal, {.seconds = 5}});
    if (i < 3 || i >= 8) world.runner.script(id, {{.seconds = 5}});
    refused += i >= 3 && i < 8;
  }
  size_t at_once = 0;
  world.runner.at_poll = [&] {
    if (world.clock.now_s > 1)
      at_once = std::max(at_once, world.scheduler.board().count(TrialState::running));
  };
  world.scheduler.run();
  EXPECT_EQ(world.runner.starts.size(), 20 + refused);
  EXPECT_EQ(at_once, 3u);
  EXPECT_EQ(world.scheduler.machine_problem(), "");
  for (int i = 0; i < 20; ++i) EXPECT_EQ(world.state("t" + std::to_string(i)), TrialState::done);
}

TEST(SchedulerLimits, NoProcessAtAllEndsTheRunAndFailsNoTrial) {
  World world(/*slot_count=*/2);
  for (const char* id : {"a", "b", "c"}) {
    world.add(id);
    world.runner.script(id, {{.outcome = AttemptOutcome::lost,
                              .seconds = 0,
                              .free = true,
                              .fault = MachineFault::resources}});
  }
  world.scheduler.run();
  EXPECT_LE(world.runner.starts.size(), 16u);
  EXPECT_LE(world.clock.now_s, 20);
  EXPECT_NE(world.scheduler.machine_problem(), "");
  EXPECT_EQ(world.scheduler.fault(), MachineFault::resources);
  for (const char* id : {"a", "b", "c"}) EXPECT_EQ(world.state(id), TrialState::ready);
}

TEST(SchedulerLimits, NothingStartsWithoutRoomForTwoCheckpoints) {
  World world(1);
  world.add("a");
  world.runner.free_bytes_left = uint64_t{3} << 30;
  world.runner.largest_checkpoint = uint64_t{2} << 30;
  world.scheduler.run();
  EXPECT_EQ(world.scheduler.machine_problem(),
            "3.00 GiB are free on the store's disk, but trials start only with 4.00 GiB or more");
  EXPECT_THAT(world.runner.starts, ElementsAre());
}

TEST(SchedulerLimits, RunningTrialsContinueOnAFullDiskAndOthersStartWithRoom) {
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
  EXPECT_EQ(world.scheduler.machine_problem(), "");
}

TEST(SchedulerLimits, ADriverThatCannotWriteEndsItsWorkers) {
  World world(1);
  world.add("a");
  world.runner.script("a", {{.seconds = 1000}});
  world.runner.at_poll = [&] { world.runner.disk_is_full = world.clock.now_s > 5; };
  EXPECT_THROW(world.scheduler.run(), DiskFullError);
  EXPECT_THAT(world.runner.stops, ElementsAre(Pair("a", false)));
  EXPECT_LE(world.clock.now_s, 7);
}

TEST(SchedulerLimits, ADriverWhoseStoreWasMovedEndsItsWorkersAndSaysSo) {
  World world(1);
  world.add("a");
  world.runner.script("a", {{.seconds = 1000}});
  world.runner.at_poll = [&] {
    if (world.clock.now_s > 5) world.runner.moved_store = "it was moved";
  };
  EXPECT_THAT([&] { world.scheduler.run(); }, ThrowsMessage<MachineError>("it was moved"));
  EXPECT_THAT(world.runner.stops, ElementsAre(Pair("a", false)));
  EXPECT_LE(world.clock.now_s, 7);
  EXPECT_EQ(world.runner.states["a"],
            TrialState::running);  // a missing store proves nothing about a trial
}

TEST(SchedulerLimits, TheTimeThatAnOrphanWorkedUnwatchedCounts) {
  World world(1);
  StageResources resources;
  resources.time_limit_s = 100;
  world.add_with(resources, "a");
  world.runner.orphan_seconds["a"] = 80;
  world.runner.orphan("a", {.seconds = 50});
  world.scheduler.run();
  EXPECT_EQ(world.state("a"), TrialState::failed);
  EXPECT_LE(world.clock.now_s, 22);
}

TEST(SchedulerLimits, AGpuTrialWithoutAGpuSaysSo) {
  World world(1);
  StageResources resources;
  resources.device = "cuda";
  world.add_with(resources, "a");
  EXPECT_THAT([&] { world.scheduler.run(); },
              testing::ThrowsMessage<MachineError>(testing::HasSubstr("choose --device cpu")));
}

StageResources on_a_gpu(uint64_t bytes) {
  StageResources resources;
  resources.device = "cuda";
  resources.gpu_memory_bytes = bytes;
  return resources;
}

Gpu gpu_of_100_bytes(const std::string& uuid) {
  return {.uuid = uuid, .name = "H100", .total_bytes = 100, .free_bytes = 100};
}

TEST(SchedulerLimits, AGpuTrialWaitsForWhatOtherProgramsUse) {
  World world(1, {}, {gpu_of_100_bytes("GPU-1")});
  world.slots.read_gpus_by([&](double) {
    Gpu now = gpu_of_100_bytes("GPU-1");
    if (world.clock.now_s < 60) now.free_bytes = 10;
    return std::vector<Gpu>{now};
  });
  world.add_with(on_a_gpu(25), "a");
  world.scheduler.run();
  EXPECT_EQ(world.state("a"), TrialState::done);
  EXPECT_GE(world.clock.now_s, 60);
  EXPECT_EQ(world.listener.limits, 1) << "said once";
}

TEST(SchedulerLimits, ATrialGoesOnElsewhereWhenItsGpuIsLost) {
  World world(1, {}, {gpu_of_100_bytes("GPU-1"), gpu_of_100_bytes("GPU-2")});
  world.slots.read_gpus_by([&](double) {
    std::vector<Gpu> listed = {gpu_of_100_bytes("GPU-2")};
    if (world.clock.now_s < 5) listed.push_back(gpu_of_100_bytes("GPU-1"));
    return listed;
  });
  world.add_with(on_a_gpu(25), "a");
  world.runner.script(
      "a", {{.outcome = AttemptOutcome::failed, .seconds = 10}, {.outcome = AttemptOutcome::done}});
  world.scheduler.run();
  EXPECT_EQ(world.state("a"), TrialState::done);
  EXPECT_THAT(world.runner.gpus, ElementsAre("GPU-1", "GPU-2"));
}

TEST(SchedulerLimits, ATrialIsLeftReadyWhenTheLastGpuIsLost) {
  World world(1, {}, {gpu_of_100_bytes("GPU-1")});
  world.slots.read_gpus_by([&](double) {
    return world.clock.now_s < 5 ? std::vector<Gpu>{gpu_of_100_bytes("GPU-1")} : std::vector<Gpu>{};
  });
  world.add_with(on_a_gpu(25), "a");
  world.runner.script("a", {{.outcome = AttemptOutcome::failed, .seconds = 10}});
  EXPECT_THAT([&] { world.scheduler.run(); },
              testing::ThrowsMessage<MachineError>(testing::HasSubstr(
                  "GPU-1 (H100) no longer answers; no GPU is left for trial a")));
  EXPECT_EQ(world.state("a"), TrialState::ready);
}

TEST(SchedulerLimits, AnOutOfMemoryHalvesThePackingAndRetries) {
  World world(4, {}, {{.uuid = "GPU-1", .name = "", .total_bytes = 100, .free_bytes = 100}});
  for (const char* id : {"a", "b", "c", "d", "e", "f"}) {
    StageResources resources;
    resources.device = "cuda";
    resources.gpu_memory_bytes = 25;
    world.add_with(resources, id);
  }
  world.runner.script("a", {{.outcome = AttemptOutcome::oom}, {.outcome = AttemptOutcome::done}});
  for (const char* id : {"b", "c", "d"}) world.runner.script(id, {{.seconds = 10}});
  world.scheduler.run();
  EXPECT_EQ(world.scheduler.board().count(TrialState::done), 6u);
  EXPECT_EQ(world.runner.most_at_once, 4u);
  // There is no room for a trial of twice the size until the three running ones have ended; then two run at
  // a time.
  EXPECT_THAT(world.runner.starts, ElementsAre("a", "b", "c", "d", "a", "e", "f"));
  EXPECT_DOUBLE_EQ(world.clock.now_s, 12);
}

TEST(SchedulerLimits, ACpuTrialThatRanOutOfMemoryIsTriedAgainAlone) {
  World world(2);
  world.add("a");
  world.add("b");
  world.add("c");
  world.add("d", {"c"});
  world.runner.script("a", {{.outcome = AttemptOutcome::oom}, {.seconds = 10}});
  world.runner.script("b", {{.seconds = 5}});
  world.scheduler.run();
  EXPECT_EQ(world.scheduler.board().count(TrialState::done), 4u);
  // Trials that fit continue beside the others; only trials that ran out of memory wait.
  EXPECT_THAT(world.runner.starts, ElementsAre("a", "b", "c", "d", "a"));
  EXPECT_DOUBLE_EQ(world.clock.now_s, 15);
}

TEST(SchedulerLimits, NothingRunsBesideATrialThatAsksToBeAlone) {
  World world(2);
  for (const char* id : {"a", "b", "c", "d"}) {
    StageResources resources;
    resources.alone = id == std::string("b") || id == std::string("c");
    world.add_with(resources, id);
    world.runner.script(id, {{.seconds = 10}});
  }
  world.scheduler.run();
  EXPECT_EQ(world.scheduler.board().count(TrialState::done), 4u);
  // A trial that may share a GPU does not wait for those that may not.
  EXPECT_THAT(world.runner.starts, ElementsAre("a", "d", "b", "c"));
  EXPECT_EQ(world.runner.most_at_once, 2u);
  EXPECT_DOUBLE_EQ(world.clock.now_s, 30);
}

TEST(SchedulerLimits, NothingStartsBesideACpuTrialThatRanOutOfMemory) {
  World world(2);
  for (const char* id : {"a", "b"}) {
    world.add(id);
    world.runner.script(id, {{.outcome = AttemptOutcome::oom}, {.seconds = 10}});
  }
  world.add("c", {"a"});
  world.scheduler.run();
  EXPECT_EQ(world.scheduler.board().count(TrialState::done), 3u);
  EXPECT_THAT(world.runner.starts, ElementsAre("a", "b", "a", "b", "c"));
  EXPECT_DOUBLE_EQ(world.clock.now_s, 22);
}

TEST(SchedulerLimits, FullCpuSlotsHoldUpNoTrialOfAGpu) {
  World world(0, {}, {{"GPU-1", "card", uint64_t{80} << 30, uint64_t{80} << 30}});
  for (const char* id : {"a", "b", "c", "d"}) {
    StageResources resources;
    if (id == std::string("d")) resources.device = "cuda";
    world.add_with(resources, id);
  }
  world.scheduler.run();
  EXPECT_THAT(world.runner.starts, ElementsAre("a", "b", "d", "c"));
  EXPECT_EQ(world.runner.most_at_once, 3u);
}

}  // namespace
}  // namespace rethink
