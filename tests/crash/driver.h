// Fixture that runs the real driver, and the worker without LibTorch, on a store of its own.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <time.h>

#include <fstream>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "core/store_files/trial_folder.h"
#include "core/system/process.h"
#include "experiments/run/selftest/chaos.h"
#include "results/folders/store_lock.h"
#include "tests/support/attempt_store.h"
#include "tests/support/temp_folder.h"

namespace rethink {

const std::filesystem::path kPrograms = std::filesystem::path(RETHINK_BINARY_DIR) / "noop";
const std::filesystem::path kRethink = std::filesystem::path(RETHINK_BINARY_DIR) / "bin/rethink";
constexpr int kKilled = 128 + SIGKILL;

/// Whether SIGTERM waits for a process that cannot take it.
inline bool has_sigterm_waiting(pid_t pid) {
  std::ifstream status(fmt::format("/proc/{}/status", pid));
  for (std::string key, value; status >> key && std::getline(status, value);) {
    if (key == "ShdPnd:") return std::stoull(value, nullptr, 16) >> (SIGTERM - 1) & 1;
  }
  return false;
}

class DriverTest : public testing::Test {
 protected:
  /// `parent`: the folder in which the test's folder is made.
  explicit DriverTest(const std::filesystem::path& parent = std::filesystem::temp_directory_path())
      : folder_(parent) {}

  /// Runs the driver in the test's folder, which holds the sweeps.
  ProgramResult rethink(std::vector<std::string> words, const std::string& store = "store",
                        const std::string& kill_at = "") const {
    ProgramRun run;
    run.words = {kRethink.string()};
    run.words.insert(run.words.end(), words.begin(), words.end());
    run.words.insert(run.words.end(), {"--store", (folder_ / store).string()});
    run.folder = folder_.path();
    run.environment["RETHINK_PROGRAMS"] = programs_.string();
    if (!kill_at.empty()) run.environment["RETHINK_KILL_AT"] = kill_at;
    return run_program(run);
  }
  ProgramResult run(const std::string& sweep, const std::string& store = "store") const {
    return rethink({"run", (folder_ / sweep).string(), "--slots", "2"}, store);
  }

  void wait_until(const std::function<bool()>& condition) const {
    for (int look = 0; look < 3000; ++look) {
      if (condition()) return;
      const timespec pause{0, 10'000'000};
      nanosleep(&pause, nullptr);
    }
    FAIL() << "waited in vain";
  }
  /// Number of attempts that have begun on the store.
  size_t attempts_begun() const {
    size_t count = 0;
    std::error_code none;
    for (const auto& trial : std::filesystem::directory_iterator(folder_ / "store/trials", none)) {
      count += std::filesystem::exists(trial.path() / "attempt-1/events.jsonl");
    }
    return count;
  }
  void wait_for_attempts(size_t count = 1) const {
    wait_until([&] { return attempts_begun() >= count; });
  }
  void signal_driver(int number) const {
    const auto owner = store_owner(folder_ / "store");
    ASSERT_TRUE(owner);
    ASSERT_EQ(kill(owner->at("pid").get<int>(), number), 0);
  }
  /// The folders of the store's trials.
  std::vector<TrialFolder> trials(const std::string& store = "store") const {
    std::vector<TrialFolder> found;
    for (const auto& entry : std::filesystem::directory_iterator(folder_ / store / "trials")) {
      found.emplace_back(entry.path());
    }
    return found;
  }
  /// Runs an attempt of `trial` without a driver and kills it before its fourth checkpoint has its
  /// name.
  void train_half(const TrialFolder& trial) const {
    AttemptRequest request;
    request.trial = trial.path();
    request.store = trial.store();
    request.runtime.threads = 1;
    request.runtime.device = "cpu";
    EXPECT_EQ(run_attempt_of(kPrograms / "rethink-worker", request,
                             {{"RETHINK_KILL_AT", "before_checkpoint_rename:4"}}),
              kKilled);
  }
  /// Returns a trial whose worker goes on although its driver, of the sweep "endless", was killed.
  TrialFolder leave_an_orphan() const {
    write_text(folder_ / "endless.yaml",
               "sweep: endless\nseeds: [0]\nstages:\n"
               "  a: {job: noop, steps: 100000, sleep_ms: 10}\n");
    std::jthread first([&] { run("endless.yaml"); });
    wait_for_attempts();
    signal_driver(SIGKILL);
    first.join();
    return trials().front();
  }

  TempFolder folder_;
  std::filesystem::path programs_ = kPrograms;
};

}  // namespace rethink
