// The whole program under SIGKILL: real drivers, zygotes and workers, compared with a run that nobody
// disturbed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <signal.h>
#include <stdlib.h>

#include <thread>

#include "results/store.h"
#include "tests/crash/driver.h"

namespace rethink {
namespace {

using testing::HasSubstr;

constexpr const char* kSlow = R"(sweep: slow
seeds: [0]
stages:
  a: {job: noop, steps: 10, sleep_ms: 100, grid: {tag: [x, y]}}
  b: {job: noop, needs: {init: a}, steps: 1}
)";

class DriverKill : public DriverTest {
 protected:
  DriverKill() { write_text(folder_ / "slow.yaml", kSlow); }
};

TEST_F(DriverKill, RandomKillsOfDriversZygotesAndWorkersLoseNothing) {
  setenv("RETHINK_PROGRAMS", kPrograms.c_str(), /*overwrite=*/1);
  const ChaosReport report =
      run_chaos({.rethink = kRethink, .folder = folder_ / "chaos", .kills = 20, .seed = 1});
  EXPECT_EQ(report.kills, 20u);
  EXPECT_THAT(report.lost, testing::IsEmpty());
  EXPECT_THAT(report.doubled, testing::IsEmpty());
  EXPECT_THAT(report.different, testing::IsEmpty());
}

TEST_F(DriverKill, AnOrphanedWorkerIsAdoptedAndNotStartedAgain) {
  std::jthread first([&] { run("slow.yaml"); });
  wait_for_attempts();
  signal_driver(SIGKILL);
  first.join();
  const ProgramResult second = run("slow.yaml");
  EXPECT_EQ(second.status, 0) << second.error;
  EXPECT_THAT(second.error, HasSubstr("adopted"));
  const Store store(folder_ / "store", Store::Access::read);
  for (const std::string& line : dump_store(folder_ / "store")) {
    EXPECT_EQ(store.attempts(line.substr(0, line.find(' '))).size(), 1u) << line;
  }
}

TEST_F(DriverKill, ASecondDriverExitsWithThreeAndNamesTheFirst) {
  std::jthread first([&] { EXPECT_EQ(run("slow.yaml").status, 0); });
  wait_for_attempts();
  const ProgramResult second = run("slow.yaml");
  EXPECT_EQ(second.status, 3);
  EXPECT_THAT(second.error, HasSubstr("the store is in use by `rethink run`, process"));
}

TEST_F(DriverKill, AnInterruptionDrainsAndTheSameCommandGoesOn) {
  std::jthread first([&] {
    const ProgramResult interrupted = run("slow.yaml");
    EXPECT_EQ(interrupted.status, 130);
    EXPECT_THAT(interrupted.error, HasSubstr("resume with: rethink run"));
  });
  wait_for_attempts();
  signal_driver(SIGINT);
  first.join();
  EXPECT_EQ(run("slow.yaml").status, 0);
}

TEST_F(DriverKill, ARunningDriverAnswersACancel) {
  std::jthread first([&] { EXPECT_EQ(run("slow.yaml").status, 1); });
  wait_for_attempts();
  const ProgramResult cancel = rethink({"cancel", "slow"});
  EXPECT_EQ(cancel.status, 0) << cancel.error;
  EXPECT_THAT(cancel.output, HasSubstr("cancelled 4 trials"));
  first.join();
  EXPECT_THAT(rethink({"status"}).output, HasSubstr("0 of 4 done, 4 cancelled"));
  EXPECT_THAT(rethink({"retry", "slow"}).output, HasSubstr("4 trials may run again"));
  EXPECT_EQ(run("slow.yaml").status, 0);
}

TEST_F(DriverKill, AFailedTrialIsNotRepeatedUntilRetryIsAsked) {
  write_text(folder_ / "fails.yaml",
             "sweep: fails\nseeds: [0]\nstages:\n  a: {job: noop, steps: 4, fail_at: 2}\n");
  const ProgramResult first = run("fails.yaml");
  EXPECT_EQ(first.status, 1);
  EXPECT_THAT(first.error, HasSubstr("fail_at: step 2 fails"));
  EXPECT_THAT(first.error, HasSubstr("rethink retry " + (folder_ / "fails.yaml").string()));
  EXPECT_THAT(run("fails.yaml").error, testing::Not(HasSubstr("started")));
  EXPECT_EQ(rethink({"retry", "fails", "--only", "oom"}).output, "0 trials may run again\n");
  EXPECT_EQ(rethink({"retry", "fails", "--only", "failed"}).output, "1 trial may run again\n");
  EXPECT_THAT(run("fails.yaml").error, HasSubstr("started"));
}

}  // namespace
}  // namespace rethink
