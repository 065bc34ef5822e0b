// The whole program under SIGKILL: real drivers, zygotes and workers, compared with a run that nobody
// disturbed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <signal.h>
#include <stdlib.h>
#include <time.h>

#include <thread>

#include "core/process.h"
#include "experiments/schedule/chaos.h"
#include "results/store.h"
#include "results/store_lock.h"
#include "tests/support/kill_point_names.h"
#include "tests/support/temp_folder.h"

namespace rethink {
namespace {

using testing::HasSubstr;

const std::filesystem::path kPrograms = std::filesystem::path(RETHINK_BINARY_DIR) / "noop";
const std::filesystem::path kRethink = std::filesystem::path(RETHINK_BINARY_DIR) / "bin/rethink";
constexpr int kKilled = 128 + SIGKILL;

constexpr const char* kQuick = R"(sweep: quick
seeds: [0]
stages:
  a: {job: noop, steps: 3, checkpoint_every: 1, grid: {tag: [x, y]}}
  b: {job: noop, needs: {init: a}, steps: 2}
)";
constexpr const char* kSlow = R"(sweep: slow
seeds: [0]
stages:
  a: {job: noop, steps: 10, sleep_ms: 100, grid: {tag: [x, y]}}
  b: {job: noop, needs: {init: a}, steps: 1}
)";

class DriverKill : public testing::Test {
 protected:
  DriverKill() {
    write_text(folder_ / "quick.yaml", kQuick);
    write_text(folder_ / "slow.yaml", kSlow);
  }

  ProgramResult rethink(std::vector<std::string> words, const std::string& store = "store",
                        const std::string& kill_at = "") const {
    ProgramRun run;
    run.words = {kRethink.string()};
    run.words.insert(run.words.end(), words.begin(), words.end());
    run.words.insert(run.words.end(), {"--store", (folder_ / store).string()});
    run.environment["RETHINK_PROGRAMS"] = kPrograms.string();
    if (!kill_at.empty()) run.environment["RETHINK_KILL_AT"] = kill_at;
    return run_program(run);
  }
  ProgramResult run(const std::string& sweep, const std::string& store = "store",
                    const std::string& kill_at = "") const {
    return rethink({"run", (folder_ / sweep).string(), "--slots", "2"}, store, kill_at);
  }
  /// Until a worker has begun on the store.
  void wait_for_attempt(const std::string& store = "store") const {
    for (int look = 0; look < 1000; ++look) {
      std::error_code none;
      for (const auto& trial : std::filesystem::directory_iterator(folder_ / store / "trials", none)) {
        if (std::filesystem::exists(trial.path() / "attempt-1/events.jsonl")) return;
      }
      const timespec pause{0, 10'000'000};
      nanosleep(&pause, nullptr);
    }
    FAIL() << "no attempt began";
  }
  void signal_driver(int number) const {
    const auto owner = store_owner(folder_ / "store");
    ASSERT_TRUE(owner);
    ASSERT_EQ(kill(owner->at("pid").get<int>(), number), 0);
  }

  TempFolder folder_;
};

TEST_F(DriverKill, EveryPointOfTheDriverLosesNothingInItsFirstThreeHits) {
  ASSERT_EQ(run("quick.yaml", "quiet").status, 0);
  const std::vector<std::string> expected = dump_store(folder_ / "quiet");
  int fired = 0;
  for (const auto& [name, file] : kill_point_names(RETHINK_SOURCE_DIR)) {
    if (!file.starts_with("experiments/schedule/")) continue;
    for (int hit = 1; hit <= 3; ++hit) {
      const std::string at = name + ":" + std::to_string(hit);
      const ProgramResult killed = run("quick.yaml", at, at);
      EXPECT_TRUE(killed.status == 0 || killed.status == kKilled) << at << ": " << killed.error;
      fired += killed.status == kKilled;
      EXPECT_EQ(run("quick.yaml", at).status, 0) << at;
      EXPECT_EQ(dump_store(folder_ / at), expected) << at;
      EXPECT_THAT(overlapping_attempts(folder_ / at), testing::IsEmpty()) << at;
    }
  }
  EXPECT_GE(fired, 20);
}

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
  wait_for_attempt();
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
  wait_for_attempt();
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
  wait_for_attempt();
  signal_driver(SIGINT);
  first.join();
  EXPECT_EQ(run("slow.yaml").status, 0);
}

TEST_F(DriverKill, ARunningDriverAnswersACancel) {
  std::jthread first([&] { EXPECT_EQ(run("slow.yaml").status, 1); });
  wait_for_attempt();
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
