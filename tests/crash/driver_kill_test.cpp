// Kills the whole program, with real drivers, zygotes and workers, by SIGKILL, and compares the result
// with an undisturbed run.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <stdlib.h>

#include <fstream>
#include <sstream>
#include <thread>

#include "core/json.h"
#include "experiments/attempt/trial_files.h"
#include "experiments/run/slots.h"
#include "tests/crash/driver.h"

namespace rethink {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr const char* kSlow = R"(sweep: slow
seeds: [0]
stages:
  a: {job: noop, steps: 10, sleep_ms: 100, grid: {tag: [x, y]}}
  b: {job: noop, needs: {init: a}, steps: 1}
)";

/// Returns the processes whose parent is `parent`.
std::vector<pid_t> children_of(pid_t parent) {
  std::vector<pid_t> children;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    std::ifstream stat(entry.path() / "stat");
    std::string text;
    if (!std::getline(stat, text)) continue;  // the process is gone
    std::istringstream words(text.substr(text.rfind(')') + 1));
    char state = 0;
    pid_t its_parent = 0;
    words >> state >> its_parent;
    if (its_parent == parent && state != 'Z')
      children.push_back(std::stoi(entry.path().filename()));
  }
  return children;
}

class DriverKill : public DriverTest {
 protected:
  DriverKill() { write_text(folder_ / "slow.yaml", kSlow); }
};

TEST_F(DriverKill, ATableThatIsInterruptedSaysHowFarItsTrialsAre) {
  write_text(folder_ / "slow.yaml",
             "sweep: slow\nseeds: [0]\nstages: {a: {job: noop, steps: 500, sleep_ms: 20}}\n");
  std::filesystem::create_directories(folder_ / "plots/tables");
  write_text(folder_ / "plots/tables/slow.yaml",
             "table: slow\nsweep: slow.yaml\nstage: a\nrows: [{label: x}]\n"
             "columns: [{label: y, metric: dev/score}]\nseeds: 1\n");
  std::thread table([this] {
    const ProgramResult result = rethink({"table", "slow", "--run"});
    EXPECT_EQ(result.status, 130) << result.error;
    EXPECT_THAT(result.error,
                HasSubstr("asked     stop: waits for checkpoints of 1 running trial"));
    EXPECT_THAT(result.error, HasSubstr("interrupted: 0 of 1 trials done; resume with: rethink "
                                        "table slow --run --store "));
  });
  wait_for_attempts();
  signal_driver(SIGINT);
  table.join();
}

TEST_F(DriverKill, RandomKillsOfDriversZygotesAndWorkersLoseNothing) {
  setenv("RETHINK_PROGRAMS", kPrograms.c_str(), /*overwrite=*/1);
  const ChaosReport report =
      run_chaos({.rethink = kRethink, .folder = folder_ / "chaos", .kills = 15, .seed = 1});
  EXPECT_EQ(report.kills, 15u);
  EXPECT_THAT(report.crashed, testing::IsEmpty()) << read_text(folder_ / "chaos" / "log");
  EXPECT_THAT(report.lost, testing::IsEmpty());
  EXPECT_THAT(report.doubled, testing::IsEmpty());
  EXPECT_THAT(report.different, testing::IsEmpty());
  EXPECT_THAT(report.points,
              testing::IsSupersetOf({"after_fork", "after_checkpoint_rename", "after_artifact_sync",
                                     "after_ingest", "after_result"}));
}

TEST_F(DriverKill, AWorkerWhoseZygoteDiesBeforeItSaysSoGoesOn) {
  ASSERT_EQ(run("slow.yaml", "quiet").status, 0);
  for (const char* hit : {"1", "2"}) {
    const std::string store = std::string("store-") + hit;
    const ProgramResult result =
        rethink({"run", "slow.yaml", "--slots", "2"}, store, std::string("after_fork:") + hit);
    EXPECT_EQ(result.status, 0) << result.error;
    EXPECT_THAT(result.error, HasSubstr("the zygote died"));
    for (const TrialFolder& trial : trials(store)) {
      EXPECT_EQ(trial.attempts(), (std::vector<int64_t>{1}));
      EXPECT_FALSE(std::filesystem::exists(trial.end(1)));
    }
    EXPECT_EQ(dump_store(folder_ / store), dump_store(folder_ / "quiet"));
    EXPECT_THAT(differences_to_rebuild(folder_ / store), testing::IsEmpty());
  }
}

TEST_F(DriverKill, SettingsOutsideTheIdMayChangeAndTheIndexFollowsTheFolder) {
  const auto write = [&](int every) {
    write_text(folder_ / "often.yaml",
               fmt::format("sweep: often\nseeds: [0]\nstages:\n"
                           "  a: {{job: noop, steps: 2, checkpoint_every: {}}}\n",
                           every));
  };
  write(1);
  ASSERT_EQ(run("often.yaml").status, 0);
  write(2);
  ASSERT_EQ(run("often.yaml").status, 0);
  EXPECT_EQ(trials().size(), 1u);
  EXPECT_THAT(differences_to_rebuild(folder_ / "store"), testing::IsEmpty());
  write(3);
  ASSERT_EQ(rethink({"run", "often.yaml"}, "store", "after_trials_written:1").status, kKilled);
  ASSERT_EQ(run("often.yaml").status, 0);
  EXPECT_THAT(differences_to_rebuild(folder_ / "store"), testing::IsEmpty());
}

TEST_F(DriverKill, APlanCountsWhatAKilledWorkerWasAtAmongWhatRuns) {
  const auto plan_text = [&] { return rethink({"plan", "endless.yaml"}).output; };
  const TrialFolder trial = leave_an_orphan();
  EXPECT_THAT(plan_text(), Not(HasSubstr("\nto run\n"))) << "its worker is at it";
  ASSERT_TRUE(send_signal(*last_worker(trial), SIGKILL));
  wait_until([&] { return !has_running_worker(trial); });
  EXPECT_THAT(plan_text(), HasSubstr(": was begun and not finished"));
}

TEST_F(DriverKill, AnOrphanedWorkerIsAdoptedAndNotStartedAgain) {
  std::jthread first([&] { run("slow.yaml"); });
  wait_for_attempts();
  signal_driver(SIGKILL);
  first.join();
  EXPECT_THAT(rethink({"status"}).output, HasSubstr("the driver has ended, but"));
  const ProgramResult second = run("slow.yaml");
  EXPECT_EQ(second.status, 0) << second.error;
  EXPECT_THAT(second.error, HasSubstr("adopted"));
  for (const TrialFolder& trial : trials()) EXPECT_EQ(trial.attempts(), (std::vector<int64_t>{1}));
}

TEST_F(DriverKill, ACancelStopsWorkersWhoseDriverIsGone) {
  write_text(folder_ / "endless.yaml",
             "sweep: endless\nseeds: [0, 1]\nstages:\n"
             "  a: {job: noop, steps: 100000, sleep_ms: 10}\n  b: {job: noop, needs: {init: a}}\n");
  std::jthread first([&] { run("endless.yaml"); });
  wait_for_attempts(2);
  signal_driver(SIGKILL);
  first.join();
  EXPECT_EQ(rethink({"cancel", "endless"}).output,
            "cancelled 4 trials; stopped 2 workers whose driver has ended\n");
  EXPECT_THAT(rethink({"status"}).output,
              testing::AllOf(HasSubstr("4 cancelled"), HasSubstr("no driver is running")));
  EXPECT_EQ(rethink({"db", "check"}).status, 0);
  EXPECT_THAT(differences_to_rebuild(folder_ / "store"), testing::IsEmpty());
  EXPECT_EQ(rethink({"rm", "--yes", "endless"}).status, 0);
}

TEST_F(DriverKill, ACancelNamesWorkersThatItCannotReach) {
  const TrialFolder trial = leave_an_orphan();
  const std::string signature = read_text(trial.lock());
  Json elsewhere = Json::parse(signature);
  elsewhere["boot_id"] = "of another machine";
  write_text(trial.lock(), elsewhere.dump());
  const ProgramResult cancel = rethink({"cancel", "endless"});
  EXPECT_EQ(cancel.status, 1) << cancel.error;
  EXPECT_EQ(cancel.output,
            fmt::format("cancelled 1 trial; trial {} goes on: its lock names process {}, which is "
                        "out of reach (another machine, container or boot); end it there\n",
                        trial.path().filename().string(), elsewhere.at("pid").get<int>()));
  const std::string status = rethink({"status"}).output;
  EXPECT_THAT(status, HasSubstr(fmt::format(
                          "trial {} is cancelled, but its worker goes on: its lock names "
                          "process {}, which is out of reach",
                          trial.path().filename().string(), elsewhere.at("pid").get<int>())));
  EXPECT_THAT(status, testing::Not(HasSubstr("rethink cancel")));
  write_text(trial.lock(), signature);
  EXPECT_THAT(
      rethink({"status"}).output,
      HasSubstr("1 worker goes on with cancelled trials; `rethink cancel SWEEP` stops them"));
  EXPECT_EQ(rethink({"cancel", "endless"}).output,
            "cancelled 0 trials: 1 is cancelled; stopped 1 worker whose driver has ended\n");
  EXPECT_FALSE(has_running_worker(trial));
}

TEST_F(DriverKill, ARequestThatNamesNoSweepListsThemByProfile) {
  write_text(folder_ / "two.yaml",
             "sweep: two\nseeds: [0]\nstages: {a: {job: noop, steps: 2}}\n"
             "profiles: {quick: {seeds: [1]}}\n");
  ASSERT_EQ(rethink({"run", "two.yaml", "--max-trials", "0"}).status, 0);
  ASSERT_EQ(rethink({"run", "two.yaml", "--max-trials", "0", "--profile", "quick"}).status, 0);
  ASSERT_EQ(rethink({"run", "two.yaml", "--max-trials", "0", "--seeds", "3"}).status, 0);
  EXPECT_THAT(rethink({"cancel", "two", "--profile", "slow"}).error,
              HasSubstr("no sweep or trial 'two' --profile slow; its sweeps: two, two --p"));
  EXPECT_THAT(rethink({"cancel", "three"}).error,
              HasSubstr("its sweeps: two, two --profile quick\n"));
}

TEST_F(DriverKill, AZygoteThatDiesIsReplacedAndItsWorkersGoOn) {
  std::jthread first([&] {
    const ProgramResult result = run("slow.yaml");
    EXPECT_EQ(result.status, 0) << result.error;
    EXPECT_THAT(result.error, HasSubstr("the zygote died (signal 9 (Killed)); starting another"));
  });
  wait_for_attempts(2);
  const auto owner = store_owner(folder_ / "store");
  ASSERT_TRUE(owner);
  const std::vector<pid_t> zygotes = children_of(owner->at("pid").get<int>());
  ASSERT_EQ(zygotes.size(), 1u);
  kill(zygotes.front(), SIGKILL);
  first.join();
  for (const TrialFolder& trial : trials()) EXPECT_EQ(trial.attempts(), (std::vector<int64_t>{1}));
}

TEST_F(DriverKill, ASecondInterruptionKillsAndNothingIsCharged) {
  write_text(folder_ / "stuck.yaml",
             "sweep: stuck\nseeds: [0]\nretry: {killed: 0, lost: 0}\nstages:\n"
             "  a: {job: noop, steps: 10, sleep_ms: 50, checkpoint_every: 2}\n");
  std::jthread first([&] { EXPECT_EQ(run("stuck.yaml").status, 130); });
  wait_for_attempts();
  const auto worker = last_worker(trials().front());
  ASSERT_TRUE(worker);
  ASSERT_EQ(kill(worker->pid, SIGSTOP), 0);  // the first worker cannot answer
  signal_driver(SIGINT);
  wait_until([&] { return has_sigterm_waiting(worker->pid); });
  signal_driver(SIGINT);
  first.join();
  EXPECT_EQ(run("stuck.yaml").status, 0);
}

TEST_F(DriverKill, ASecondInterruptionEndsADriverWhoseZygoteHangs) {
  write_text(folder_ / "stuck.yaml",
             "sweep: stuck\nseeds: [0]\nretry: {killed: 0, lost: 0}\nstages:\n"
             "  a: {job: noop, steps: 10, sleep_ms: 50, checkpoint_every: 2}\n");
  std::jthread first([&] {
    const ProgramResult stopped = run("stuck.yaml");
    EXPECT_EQ(stopped.status, 130);
    EXPECT_THAT(stopped.error, HasSubstr("hangs and says nothing of its workers"));
  });
  wait_for_attempts();
  const auto worker = last_worker(trials().front());
  ASSERT_TRUE(worker);
  const auto owner = store_owner(folder_ / "store");
  ASSERT_TRUE(owner);
  const std::vector<pid_t> zygotes = children_of(owner->at("pid").get<int>());
  ASSERT_EQ(zygotes.size(), 1u);
  const auto zygote = process_of(zygotes.front());
  ASSERT_TRUE(zygote);
  ASSERT_EQ(kill(zygote->pid, SIGSTOP), 0);
  ASSERT_EQ(kill(worker->pid, SIGSTOP), 0);
  signal_driver(SIGINT);
  wait_until([&] { return has_sigterm_waiting(worker->pid); });
  signal_driver(SIGINT);
  first.join();
  EXPECT_FALSE(open_process(*worker));
  EXPECT_FALSE(open_process(*zygote));
  EXPECT_EQ(run("stuck.yaml").status, 0);
}

TEST_F(DriverKill, AnAdoptedWorkerKeepsItsCoreForItself) {
  write_text(folder_ / "two.yaml",
             "sweep: two\nseeds: [0]\nstages:\n"
             "  a: {job: noop, steps: 100000, sleep_ms: 10, grid: {tag: [x, y]}}\n");
  std::jthread first([&] { run("two.yaml"); });
  wait_for_attempts(2);
  signal_driver(SIGKILL);
  first.join();
  // The worker on the first core goes on; the other one's core is free.
  std::vector<ProcessIdentity> workers;
  for (const TrialFolder& trial : trials()) workers.push_back(*last_worker(trial));
  const bool swapped = cores_of(workers[0]) > cores_of(workers[1]);
  const TrialFolder stays = trials()[swapped], ends = trials()[!swapped];
  const std::vector<int> kept = cores_of(*last_worker(stays)), freed = cores_of(*last_worker(ends));
  ASSERT_TRUE(send_signal(*last_worker(ends), SIGKILL));
  wait_until([&] { return !has_running_worker(ends); });
  std::jthread second([&] { EXPECT_EQ(run("two.yaml").status, 130); });
  wait_until([&] { return has_running_worker(ends) && std::filesystem::exists(ends.events(2)); });
  EXPECT_EQ(cores_of(*last_worker(ends)), freed);
  EXPECT_EQ(cores_of(*last_worker(stays)), kept);
  signal_driver(SIGINT);
}

TEST_F(DriverKill, ADamagedEventMakesTheTrialRunAgainToTheSameNumbers) {
  ASSERT_EQ(run("slow.yaml").status, 0);
  const std::vector<std::string> expected = dump_store(folder_ / "store");
  const TrialFolder damaged = trials().front();
  std::string events = read_text(damaged.events(1));
  events[events.size() / 2] ^= 1;
  write_text(damaged.events(1), events);
  const ProgramResult rebuilt = rethink({"db", "rebuild"});
  EXPECT_THAT(rebuilt.output + rebuilt.error, HasSubstr(damaged.path().filename().string()));
  const ProgramResult again = run("slow.yaml");
  EXPECT_EQ(again.status, 0) << again.error;
  EXPECT_THAT(again.error, HasSubstr("its events are damaged; the trial runs again"));
  EXPECT_EQ(damaged.attempts(), (std::vector<int64_t>{1, 2}));
  EXPECT_EQ(dump_store(folder_ / "store"), expected);
  EXPECT_THAT(differences_to_rebuild(folder_ / "store"), testing::IsEmpty());
}

TEST_F(DriverKill, ADamagedResultMakesTheTrialRunAgainToTheSameNumbers) {
  ASSERT_EQ(run("slow.yaml").status, 0);
  const std::vector<std::string> expected = dump_store(folder_ / "store");
  const TrialFolder damaged = trials().front();
  for (const bool rebuilt : {true, false}) {
    write_text(damaged.result(), "");
    EXPECT_THAT(rethink({"db", "check"}).output,
                HasSubstr(damaged.result().string() + " is damaged"));
    if (rebuilt) {
      EXPECT_THAT(rethink({"db", "rebuild"}).error,
                  HasSubstr(damaged.path().filename().string() + ": "));
      EXPECT_THAT(rethink({"status"}).output, HasSubstr("slow: 3 of 4 done"));
    }
    EXPECT_THAT(rethink({"plan", "slow.yaml", "--format", "json"}).output,
                HasSubstr(damaged.path().filename().string()));
    const ProgramResult again = run("slow.yaml");
    EXPECT_EQ(again.status, 0) << again.error;
    EXPECT_EQ(dump_store(folder_ / "store"), expected);
    EXPECT_THAT(differences_to_rebuild(folder_ / "store"), testing::IsEmpty());
  }
}

TEST_F(DriverKill, EventsThatAPowerCutTookAreReadAgainFromTheStart) {
  ASSERT_EQ(run("slow.yaml", "quiet").status, 0);
  std::jthread first([&] { EXPECT_EQ(run("slow.yaml").status, 130); });
  wait_for_attempts(2);
  signal_driver(SIGTERM);
  first.join();
  for (const TrialFolder& trial : trials()) {
    if (trial.attempts().empty()) continue;
    // Events after the checkpoint need not be on disk.
    const std::filesystem::path events = trial.events(1);
    std::filesystem::resize_file(events, std::filesystem::file_size(events) - 10);
  }
  EXPECT_EQ(run("slow.yaml").status, 0);
  EXPECT_EQ(dump_store(folder_ / "store"), dump_store(folder_ / "quiet"));
}

TEST_F(DriverKill, ASharedTrialStopsOnlyWhenNoSweepWantsIt) {
  std::string other = kSlow;
  other.replace(other.find("slow"), 4, "also");
  other.replace(other.find("[x, y]"), 6, "[y, z]");
  write_text(folder_ / "also.yaml", other);
  ASSERT_EQ(rethink({"run", "slow.yaml", "also.yaml", "--max-trials", "0"}).status, 0);
  EXPECT_EQ(rethink({"cancel", "slow"}).output,
            "cancelled 2 trials; 2 stay: another sweep wants them\n");
  EXPECT_EQ(rethink({"cancel", "slow"}).output,
            "cancelled 0 trials; 2 stay: another sweep wants them\n");
  EXPECT_EQ(run("also.yaml").status, 0);
  EXPECT_THAT(rethink({"status", "slow"}).output, HasSubstr("slow: 2 of 4 done, 2 cancelled"));
  EXPECT_EQ(rethink({"cancel", "also"}).output,
            "cancelled 0 trials: 4 are done; to remove one that has ended: rethink rm TRIAL\n");
}

TEST_F(DriverKill, ASecondDriverOfAPartExitsWithThreeAndNamesTheFirst) {
  std::jthread first([&] { EXPECT_EQ(run("slow.yaml").status, 0); });
  wait_for_attempts();
  const ProgramResult second = rethink({"run", "slow.yaml", "--max-trials", "1"});
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
