// The file `lock` of a trial or a store is removed or replaced while its holder still runs.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <thread>

#include "core/files/owner.h"
#include "core/json.h"
#include "experiments/attempt/trial_files.h"
#include "tests/crash/driver.h"

namespace rethink {
namespace {

using testing::HasSubstr;
using testing::Not;

class LostLock : public DriverTest {
 protected:
  LostLock() : DriverTest(memory_folder()) {}  // a network disk may not be able to lock folders

  /// Removes a trial's lock file, or replaces it by one that names a process of another boot.
  static void lose(const TrialFolder& trial, bool replaced) {
    std::filesystem::remove(trial.lock());
    if (replaced) write_text(trial.lock(), R"({"pid": 1, "boot_id": "x", "start_time": 1})");
  }
};

TEST_F(LostLock, OfAnOrphanLetsNoSecondWorkerIn) {
  for (const bool replaced : {false, true}) {
    SCOPED_TRACE(replaced);
    remove_tree(folder_ / "store");
    write_text(folder_ / "slow.yaml",
               "sweep: slow\nseeds: [0]\nstages:\n  a: {job: noop, steps: 60, sleep_ms: 50}\n");
    std::jthread first([&] { run("slow.yaml"); });
    wait_for_attempts();
    signal_driver(SIGKILL);
    first.join();
    const TrialFolder trial = trials().front();
    lose(trial, replaced);
    // The worker itself is refused, without a check by any driver.
    AttemptRequest request;
    request.trial = trial.path();
    request.store = trial.store();
    EXPECT_EQ(run_attempt_of(kPrograms / "rethink-worker", request),
              static_cast<int>(AttemptExit::fenced));
    EXPECT_THAT(rethink({"status"}).output,
                HasSubstr("the driver has ended, but 1 of its workers"));
    EXPECT_EQ(rethink({"rm", trial.path().filename()}).status, 2);
    const ProgramResult second = run("slow.yaml");
    EXPECT_EQ(second.status, 0) << second.error;
    EXPECT_THAT(second.error, HasSubstr("adopted"));
    EXPECT_EQ(trial.attempts(), (std::vector<int64_t>{1}));
    EXPECT_EQ(rethink({"db", "check", "--hashes"}).status, 0);
  }
}

TEST_F(LostLock, OfAnOrphanKeepsNobodyFromCancellingIt) {
  for (const bool replaced : {false, true}) {
    SCOPED_TRACE(replaced);
    remove_tree(folder_ / "store");
    const TrialFolder trial = leave_an_orphan();
    lose(trial, replaced);
    const ProgramResult cancel = rethink({"cancel", "endless"});
    EXPECT_EQ(cancel.status, 0) << cancel.error;
    EXPECT_EQ(cancel.output, "cancelled 1 trial; stopped 1 worker whose driver has ended\n");
    EXPECT_FALSE(has_running_worker(trial));
  }
}

TEST_F(LostLock, OfADriverLeavesStatusTellingTheTruth) {
  write_text(folder_ / "endless.yaml",
             "sweep: endless\nseeds: [0]\nstages: {a: {job: noop, steps: 100000, sleep_ms: 10}}\n");
  std::jthread driver([&] { EXPECT_EQ(run("endless.yaml").status, 1); });
  wait_for_attempts();
  std::filesystem::remove(folder_ / "store/lock");
  const std::string unnamed = fmt::format(
      "a process that its file `lock` does not name (`fuser {}` does; as root where another "
      "user's may be it)",
      (folder_ / "store").string());
  const ProgramResult status = rethink({"status"});
  EXPECT_THAT(status.output, HasSubstr(unnamed + " works on it\n"));
  EXPECT_THAT(status.output, Not(HasSubstr("the driver has ended")));
  EXPECT_THAT(rethink({"status", "--format", "json"}).output, HasSubstr("\"driver\": {}"));
  const ProgramResult second = run("endless.yaml");
  EXPECT_EQ(second.status, 3);
  EXPECT_THAT(second.error, HasSubstr("the store is in use by " + unnamed));
  EXPECT_EQ(rethink({"cancel", "endless"}).output, "cancelled 1 trial\n") << "the driver answers";
}

}  // namespace
}  // namespace rethink
