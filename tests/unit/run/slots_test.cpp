#include "experiments/run/slots.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rethink {
namespace {

using testing::ElementsAre;

Gpu gpu(const std::string& uuid, uint64_t bytes) {
  return {.uuid = uuid, .name = "a GPU", .total_bytes = bytes, .free_bytes = bytes};
}

TEST(Slots, GivesEachTrialItsOwnCores) {
  Slots slots(0, {4, 5, 6}, {});
  EXPECT_THAT(slots.take("a", {.threads = 2})->cores, ElementsAre(4, 5));
  EXPECT_THAT(slots.take("b", {.threads = 1})->cores, ElementsAre(6));
  EXPECT_FALSE(slots.take("c", {.threads = 1}));
  slots.give_back("a");
  EXPECT_THAT(slots.take("c", {.threads = 1})->cores, ElementsAre(4));
}

TEST(Slots, ATrialWithMoreThreadsThanCoresRunsAloneUnpinned) {
  Slots slots(0, {0, 1}, {});
  EXPECT_THAT(slots.take("a", {.threads = 8})->cores, ElementsAre());
  slots.give_back("a");
  ASSERT_TRUE(slots.take("b", {.threads = 1}));
  EXPECT_FALSE(slots.take("a", {.threads = 8}));
}

TEST(Slots, MoreSlotsThanCoresAreTheUsersWish) {
  Slots slots(3, {0}, {});
  EXPECT_THAT(slots.take("a", {.threads = 1})->cores, ElementsAre(0));
  EXPECT_THAT(slots.take("b", {.threads = 1})->cores, ElementsAre());
  EXPECT_TRUE(slots.take("c", {.threads = 1}));
  EXPECT_FALSE(slots.take("d", {.threads = 1}));
}

TEST(Slots, AQuotaOfCpuTimeLeavesFewerAndPinsNone) {
  Slots slots(0, {0, 1, 2, 3}, {}, /*cpus=*/2);
  EXPECT_EQ(slots.capacity(), 2);
  EXPECT_THAT(slots.take("a", {.threads = 1})->cores, ElementsAre());
  EXPECT_THAT(slots.take("b", {.threads = 1})->cores, ElementsAre());
  EXPECT_FALSE(slots.take("c", {.threads = 1}));
  Slots enough(0, {0, 1}, {}, /*cpus=*/4);
  EXPECT_THAT(enough.take("a", {.threads = 2})->cores, ElementsAre(0, 1));
}

TEST(Slots, AnAdoptedTrialTakesASlot) {
  Slots slots(0, {0}, {});
  slots.take_adopted("orphan", {.threads = 1}, {}, std::nullopt);
  EXPECT_FALSE(slots.take("a", {.threads = 1}));
}

TEST(Slots, AnAdoptedTrialKeepsItsCores) {
  Slots slots(2, {0, 1}, {});
  slots.take_adopted("orphan", {.threads = 1}, {0}, std::nullopt);
  EXPECT_THAT(slots.take("a", {.threads = 1})->cores, ElementsAre(1));
  slots.give_back("orphan");
  EXPECT_THAT(slots.take("b", {.threads = 1})->cores, ElementsAre(0));
}

TEST(Slots, AnAdoptedTrialThatIsNotPinnedKeepsNoCores) {
  Slots slots(2, {0, 1}, {});
  slots.take_adopted("orphan", {.threads = 1}, {0, 1}, std::nullopt);
  EXPECT_THAT(slots.take("a", {.threads = 1})->cores, ElementsAre(0));
}

TEST(Slots, KnowsTheCoresOfAnotherProcess) {
  EXPECT_EQ(cores_of(this_process()), usable_cores());
  ProcessIdentity gone = this_process();
  gone.start_time++;
  EXPECT_THAT(cores_of(gone), ElementsAre());
}

TEST(Slots, TheFirstTrialOfAShapeHasAGpuForItself) {
  Slots slots(0, {0, 1, 2, 3}, {gpu("GPU-1", 100)});
  const Demand demand{.threads = 1, .gpu = true, .shape = "small", .gpu_bytes = {}};
  EXPECT_EQ(slots.take("a", demand)->gpu, "GPU-1");
  EXPECT_FALSE(slots.take("b", demand));
  slots.give_back("a");
  slots.measured("small", 20);
  for (const char* trial : {"a", "b", "c", "d"}) EXPECT_TRUE(slots.take(trial, demand)) << trial;
  EXPECT_FALSE(slots.take("e", demand));
}

TEST(Slots, WholeGpusAreSharedWithNobody) {
  std::vector<Gpu> gpus{gpu("GPU-1", 100), gpu("GPU-2", 100), gpu("GPU-3", 100)};
  for (int ordinal = 0; ordinal < 3; ++ordinal)
    gpus[static_cast<size_t>(ordinal)].ordinal = ordinal;
  Slots slots(0, {0, 1, 2, 3, 4, 5}, gpus);
  const Demand two{.gpu = true, .shape = "two", .whole_gpus = 2},
      share{.gpu = true, .shape = "small", .gpu_bytes = 10};
  EXPECT_EQ(slots.take("small", share)->gpu, "GPU-1");
  const auto placement = slots.take("a", two);
  ASSERT_TRUE(placement);
  EXPECT_EQ(placement->gpu, "GPU-2,GPU-3");
  EXPECT_THAT(placement->visible_gpus, ElementsAre("1", "2"));
  EXPECT_FALSE(slots.take("b", two));
  // The free part of the first GPU is only for shares.
  EXPECT_EQ(slots.take("other", share)->gpu, "GPU-1");
  slots.give_back("small");
  slots.give_back("other");
  EXPECT_FALSE(slots.take("b", two));
  slots.give_back("a");
  EXPECT_EQ(slots.take("b", two)->gpu, "GPU-1,GPU-2");
  EXPECT_EQ(slots.take("small", share)->gpu, "GPU-3");
  EXPECT_FALSE(slots.take("c", {.gpu = true, .shape = "one", .whole_gpus = 1}));
}

TEST(Slots, AnAdoptedTrialKeepsItsWholeGpus) {
  Slots slots(0, {0, 1, 2}, {gpu("GPU-1", 100), gpu("GPU-2", 100), gpu("GPU-3", 100)});
  slots.take_adopted("orphan", {.gpu = true, .whole_gpus = 2}, {}, "GPU-1,GPU-3");
  EXPECT_EQ(slots.take("a", {.gpu = true, .shape = "s", .gpu_bytes = 10})->gpu, "GPU-2");
}

TEST(Slots, AProgramSeesNoMoreThanOneMigDevice) {
  Gpu one = gpu("MIG-1", 100), other = gpu("MIG-2", 100);
  one.parent = other.parent = "GPU-1";
  Slots slots(0, {0, 1}, {one, other});
  EXPECT_FALSE(slots.take("a", {.gpu = true, .shape = "s", .whole_gpus = 2}));
  const auto placement = slots.take("a", {.gpu = true, .shape = "s", .whole_gpus = 1});
  ASSERT_TRUE(placement);
  EXPECT_THAT(placement->visible_gpus, ElementsAre("MIG-1"));
}

TEST(Slots, ReadsBeforeAStartWhatOtherProgramsLeave) {
  uint64_t free = 100;
  Slots slots(0, {0, 1, 2, 3}, {gpu("GPU-1", 100)});
  slots.read_gpus_by([&free](double) {
    Gpu now = gpu("GPU-1", 100);
    now.free_bytes = free;
    return std::vector<Gpu>{now, gpu("GPU-2", 50)};
  });
  const Demand demand{.threads = 1, .gpu = true, .shape = "s", .gpu_bytes = 40};
  EXPECT_TRUE(slots.take("a", demand));
  // The 30 that are used may belong to the trial itself.
  free = 70;
  EXPECT_TRUE(slots.take("b", demand));
  slots.give_back("b");
  // Other programs use at least 30.
  free = 30;
  EXPECT_FALSE(slots.take("b", demand));
  // Other programs use 70.
  slots.give_back("a");
  EXPECT_FALSE(slots.take("a", demand));
  free = 100;
  EXPECT_TRUE(slots.take("a", demand));
}

TEST(Slots, AMeasuredTrialWaitsUntilOthersLeaveWhatItNeeds) {
  uint64_t free = 100;
  Slots slots(0, {0, 1}, {gpu("GPU-1", 100)});
  slots.read_gpus_by([&free](double) {
    Gpu now = gpu("GPU-1", 100);
    now.free_bytes = free;
    return std::vector<Gpu>{now};
  });
  const Demand demand{.threads = 1, .gpu = true, .shape = "s", .gpu_bytes = {}};
  slots.measured("s", 200);  // runs alone where the whole GPU is free
  free = 60;
  EXPECT_FALSE(slots.take("a", demand));
  free = 100;
  EXPECT_TRUE(slots.take("a", demand));
}

TEST(Slots, ATrialSharesItsGpuOnceItSaysWhatItUses) {
  Slots slots(0, {0, 1, 2}, {gpu("GPU-1", 100)});
  const Demand demand{.threads = 1, .gpu = true, .shape = "s", .gpu_bytes = {}};
  EXPECT_TRUE(slots.take("a", demand));
  EXPECT_FALSE(slots.take("b", demand));
  slots.measured("s", 30);
  EXPECT_TRUE(slots.take("b", demand));
  slots.measured("s", 40);  // running trials keep their shares
  EXPECT_FALSE(slots.take("c", demand));
}

TEST(Slots, AGpuThatTheMachineNoLongerListsGetsNoTrial) {
  std::vector<Gpu> listed = {gpu("GPU-1", 100), gpu("GPU-2", 90)};
  Slots slots(0, {0, 1, 2}, listed);
  slots.read_gpus_by([&listed](double) { return listed; });
  const Demand demand{.threads = 1, .gpu = true, .shape = "s", .gpu_bytes = 40};
  EXPECT_EQ(slots.take("a", demand)->gpu, "GPU-1");
  EXPECT_FALSE(slots.lost_gpu_of("a"));
  listed.erase(listed.begin());
  EXPECT_EQ(slots.lost_gpu_of("a")->uuid, "GPU-1");
  slots.give_back("a");
  listed.push_back(gpu("GPU-1", 100));  // a GPU that was lost once stays unused
  EXPECT_EQ(slots.take("a", demand)->gpu, "GPU-2");
  EXPECT_TRUE(slots.may_fit_later(demand));
  listed = {gpu("GPU-1", 100)};
  EXPECT_FALSE(slots.take("b", demand));
  EXPECT_FALSE(slots.may_fit_later(demand));
}

TEST(Slots, SpreadsOverGpusBeforeSharing) {
  Slots slots(0, {0, 1}, {gpu("GPU-1", 100), gpu("GPU-2", 90)});
  const Demand demand{.threads = 1, .gpu = true, .shape = "s", .gpu_bytes = 20};
  EXPECT_EQ(slots.take("a", demand)->gpu, "GPU-1");
  EXPECT_EQ(slots.take("b", demand)->gpu, "GPU-2");
}

TEST(Slots, AGpuHasNoMoreTrialsThanEachOfThemAllows) {
  Slots slots(4, {0, 1}, {gpu("GPU-1", 100), gpu("GPU-2", 90)});
  Demand two{.threads = 1, .gpu = true, .shape = "s", .gpu_bytes = 10};
  two.most_per_gpu = 2;
  Demand one = two;
  one.most_per_gpu = 1;
  slots.take_adopted("orphan", two, {}, "GPU-1");
  EXPECT_EQ(slots.take("a", one)->gpu, "GPU-2");
  EXPECT_EQ(slots.take("b", two)->gpu, "GPU-1");
  EXPECT_FALSE(slots.take("c", two));
  slots.give_back("a");
  EXPECT_EQ(slots.take("c", two)->gpu, "GPU-2");
  EXPECT_FALSE(slots.take("d", one));
}

TEST(Slots, GpusCarryNoMoreTrialsThanThereAreCoresUnlessAsked) {
  const Demand demand{.threads = 1, .gpu = true, .shape = "s", .gpu_bytes = 1};
  Slots slots(0, {0, 1}, {gpu("GPU-1", 100)});
  ASSERT_TRUE(slots.take("on a core", {.threads = 2}));
  slots.take_adopted("orphan", demand, {}, std::nullopt);
  EXPECT_TRUE(slots.take("a", demand));
  EXPECT_FALSE(slots.take("b", demand));
  slots.give_back("orphan");
  EXPECT_TRUE(slots.take("b", demand));

  Slots asked(3, {0, 1}, {gpu("GPU-1", 100)});
  for (const char* trial : {"a", "b", "c"}) EXPECT_TRUE(asked.take(trial, demand)) << trial;
  EXPECT_FALSE(asked.take("d", demand));
}

TEST(Slots, RunningOutOfMemoryHalvesThePacking) {
  const Demand declared{.threads = 1, .gpu = true, .shape = "s", .gpu_bytes = 20};
  const Demand measured{.threads = 1, .gpu = true, .shape = "s", .gpu_bytes = {}};
  for (const Demand& demand : {declared, measured}) {
    Slots slots(0, {0, 1}, {gpu("GPU-1", 100)});
    if (!demand.gpu_bytes) slots.measured("s", 20);
    slots.ran_out_of_memory(demand);
    EXPECT_TRUE(slots.take("a", demand));
    EXPECT_TRUE(slots.take("b", demand));
    EXPECT_FALSE(slots.take("c", demand));
    slots.ran_out_of_memory(demand);
    slots.give_back("b");
    EXPECT_FALSE(slots.take("b", demand));
    slots.give_back("a");
    slots.ran_out_of_memory(demand);  // never more than a whole GPU
    EXPECT_TRUE(slots.take("a", demand));
  }
}

}  // namespace
}  // namespace rethink
