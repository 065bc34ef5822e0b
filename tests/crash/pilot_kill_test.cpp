// Kills of pilots, their zygotes and their workers, and two pilots on one store. The command that comes back loses no
// number and doubles none.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "experiments/attempt/trial_files.h"
#include "results/folders/pilot_sets.h"
#include "tests/crash/driver.h"

namespace rethink {
namespace {

constexpr const char* kSlow = R"(sweep: slow
seeds: [0]
stages:
  a: {job: noop, steps: 40, sleep_ms: 20, checkpoint_every: 4, grid: {tag: [x, y, z]}}
  b: {job: noop, needs: {init: a}, steps: 2}
)";

class PilotKill : public DriverTest {
 protected:
  PilotKill() { write_text(folder_ / "slow.yaml", kSlow); }

  void submit(std::vector<std::string> site = {"local"}) {
    std::vector<std::string> words = {"run", "slow.yaml", "--site"};
    words.insert(words.end(), site.begin(), site.end());
    const ProgramResult result = rethink(words);
    ASSERT_EQ(result.status, 4) << result.error;
    wait_for_attempts();
  }
  /// Returns the process numbers of the submitted pilots, from the job names of the engine `local`.
  std::vector<int> pilots() const {
    std::vector<int> pids;
    for (const PilotSet& set : PilotSet::all(folder_ / "store")) {
      for (const std::string& job : set.jobs()) pids.push_back(std::stoi(job));
    }
    return pids;
  }
  /// Returns some process that runs a trial.
  int worker() const {
    int pid = 0;
    wait_until([&] {
      for (const TrialFolder& trial : trials()) {
        const auto named = last_worker(trial);
        if (has_running_worker(trial) && named) pid = named->pid;
      }
      return pid != 0;
    });
    return pid;
  }
  static int parent_of(int pid) {
    std::ifstream status("/proc/" + std::to_string(pid) + "/status");
    for (std::string key, value; status >> key && std::getline(status, value);) {
      if (key == "PPid:") return std::stoi(value);
    }
    return 0;
  }
  /// Repeats the command until nothing is left; the store then equals that of an undisturbed run.
  void collect() {
    const ProgramResult result = rethink({"run", "slow.yaml", "--site", "local", "--wait"});
    EXPECT_EQ(result.status, 0) << result.error;
    EXPECT_EQ(run("slow.yaml", "quiet").status, 0);
    EXPECT_EQ(dump_store(folder_ / "store"), dump_store(folder_ / "quiet"));
    EXPECT_THAT(overlapping_attempts(folder_ / "store"), testing::IsEmpty());
    EXPECT_THAT(differences_to_rebuild(folder_ / "store"), testing::IsEmpty());
  }
};

TEST_F(PilotKill, OfThePilot) {
  submit();
  for (const int pid : pilots()) ASSERT_EQ(kill(pid, SIGKILL), 0);
  collect();
}

TEST_F(PilotKill, OfThePilotAndItsWorker) {
  submit();
  const int pid = worker();
  for (const int pilot : pilots()) ASSERT_EQ(kill(pilot, SIGKILL), 0);
  ASSERT_EQ(kill(pid, SIGKILL), 0);
  collect();
}

TEST_F(PilotKill, OfTheZygote) {
  submit();
  ASSERT_EQ(kill(parent_of(worker()), SIGKILL), 0);
  collect();
}

TEST_F(PilotKill, OfAWorker) {
  submit();
  ASSERT_EQ(kill(worker(), SIGKILL), 0);
  collect();
}

TEST_F(PilotKill, OfOneOfTwoPilots) {
  write_text(folder_ / "sites.yaml", "two: {engine: local, pilots: 2}\n");
  submit({"two", "--sites", (folder_ / "sites.yaml").string()});
  ASSERT_EQ(pilots().size(), 2u);
  ASSERT_EQ(kill(pilots().front(), SIGKILL), 0);
  collect();
}

TEST_F(PilotKill, ATermLetsWorkersMakeCheckpoints) {
  submit();
  for (const int pid : pilots()) ASSERT_EQ(kill(pid, SIGTERM), 0);
  wait_until([&] { return std::ranges::none_of(trials(), has_running_worker); });
  collect();
}

}  // namespace
}  // namespace rethink
